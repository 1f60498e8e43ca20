import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  Agent,
  createServer as createHttp,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Verdict } from '../../policy/verdict.ts';
import { interceptHttp } from '../http/intercept.ts';
import { createAuthority } from '../tls/authority.ts';
import { javaWords } from '../tls/testing/compiled.ts';
import { scratch, scratchFile } from '../tls/testing/loopback.ts';
import { programPath, reason, run } from '../tls/testing/programs.ts';
import { identity } from '../tls/testing/servers.ts';
import type { EgressRefusal, RequestRecord } from '../types.ts';
import { proxyEnvironment } from './create-proxy.ts';
import type { ProxiedConnection } from './refusals.ts';
import { listening, type Names, startProxy, type TestProxy } from './testing/proxy.ts';

const authority = createAuthority();
const refusal: EgressRefusal = {
  code: 'policy',
  message: 'connecting to closed.test:443 is refused: nothing in the policy grants it',
  remedy: 'add network.hosts = ["closed.test:443"]',
};
const allowed: Verdict = {
  decision: 'allow',
  code: 'granted',
  rule: 'test',
  layer: 'user',
  file: 'built-in',
  line: 0,
  message: 'allowed',
  remedy: 'none',
};

/** Heads as the destination got them. */
const heads: string[] = [];
const asked: RequestRecord[] = [];
const servers: { close(): void; closeAllConnections?(): void }[] = [];
let names: Names = {};
let proxy: TestProxy;
let repository: string | undefined;

beforeAll(async () => {
  const plain = createHttp(answer);
  const secure = createHttps(identity(authority, 'secure.test'), answer);
  const ssh = createServer(
    (socket) =>
      void socket
        .on('error', () => undefined)
        .on('data', () => socket.end())
        .write('SSH-2.0-Destination_1.0\r\n'),
  );
  servers.push(plain, secure, ssh);
  const [plainPort, securePort, sshPort] = [await listening(plain), await listening(secure), await listening(ssh)];
  names = {
    'plain.test': plainPort,
    'other.test': plainPort,
    'secure.test': securePort,
    'ssh.test': sshPort,
    'closed.test': refusal,
  };
});

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections?.();
    server.close();
  }
});

beforeEach(async () => {
  heads.length = 0;
  asked.length = 0;
  proxy = await startProxy(names, { intercept });
});

afterEach(() => proxy.close());

/** Says what was asked for, or a file of a git repository. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  heads.push(`${request.method} ${request.url}\n${request.rawHeaders.join('\n')}`);
  const git = /^\/repository\.git(\/[\w./-]+)/.exec(request.url ?? '')?.[1];
  if (git !== undefined && repository !== undefined) return sendFile(response, join(repository, git));
  request.resume().on('end', () => response.end(`${request.method} ${request.headers.host}${request.url}\n`));
}

function sendFile(response: ServerResponse, path: string): void {
  try {
    response.end(readFileSync(path));
  } catch {
    response.writeHead(404).end();
  }
}

/** The real interception, in front of the table of names. */
async function intercept({ client, destination }: ProxiedConnection): Promise<void> {
  const openUpstream = async (): Promise<Socket & { readonly alpn: 'http/1.1' }> =>
    Object.assign(connect({ host: '127.0.0.1', port: Number(names[destination.host]), noDelay: true }), {
      alpn: 'http/1.1' as const,
    });
  const everything = { decide: () => allowed, decideAddress: () => allowed, tlsTreatment: () => 'splice' as const };
  await interceptHttp(client, {
    scheme: 'http',
    alpn: 'http/1.1',
    destination,
    authority: everything,
    openUpstream,
    interceptors: [],
    record: (record) => void asked.push(record),
  });
}

function variables(address: TestProxy = proxy): Readonly<Record<string, string>> {
  return {
    ...proxyEnvironment({ host: '127.0.0.1', port: address.port, secret: address.secret }),
    CURL_CA_BUNDLE: bundle(),
    NODE_EXTRA_CA_CERTS: bundle(),
    SSL_CERT_FILE: bundle(),
    GIT_SSL_CAINFO: bundle(),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
  };
}

function bundle(): string {
  return scratchFile('ca.pem', authority.certificatePem);
}

/** The proxy under another scheme, for programs that look at `all_proxy` only without the others. */
function onlyAll(): Readonly<Record<string, string>> {
  const { ALL_PROXY = '', CURL_CA_BUNDLE = '' } = variables();
  return { ALL_PROXY, CURL_CA_BUNDLE };
}

describe.skipIf(programPath('curl') === undefined)(`curl${reason('curl')}`, () => {
  test('http:// in absolute form', async () => {
    expect(await run(['curl', '-sS', 'http://plain.test/a?b'], { environment: variables() })).toMatchObject({
      status: 0,
      stdout: 'GET plain.test/a?b\n',
    });
    expect(proxy.handed).toMatchObject([{ front: 'absolute-form', destination: { host: 'plain.test', port: 80 } }]);
    expect(heads.join('\n').toLowerCase()).not.toContain('proxy');
  });

  test('two hosts in sequence, from one process', async () => {
    const { stdout } = await run(['curl', '-sS', 'http://plain.test/1', 'http://other.test/2', 'http://plain.test/3'], {
      environment: variables(),
    });
    expect(stdout).toBe('GET plain.test/1\nGET other.test/2\nGET plain.test/3\n');
    expect(asked.map(({ destination }) => destination.host)).toEqual(['plain.test', 'other.test', 'plain.test']);
  });

  test('an upload', async () => {
    const file = scratchFile('body', Buffer.alloc(300_000, 0x61));
    expect(
      await run(['curl', '-sS', '--data-binary', `@${file}`, 'http://plain.test/up'], { environment: variables() }),
    ).toMatchObject({ stdout: 'POST plain.test/up\n' });
  });

  test('https:// over CONNECT', async () => {
    expect(await run(['curl', '-sS', 'https://secure.test/x'], { environment: variables() })).toMatchObject({
      status: 0,
      stdout: 'GET secure.test/x\n',
    });
    expect(proxy.handed).toMatchObject([{ front: 'connect', destination: { host: 'secure.test', port: 443 } }]);
  });

  test.each(['http://plain.test/s', 'https://secure.test/s'])('%s over SOCKS5, by name', async (url) => {
    expect(await run(['curl', '-sS', url], { environment: onlyAll() })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^GET \w+\.test\/s\n$/),
    });
    expect(proxy.handed).toMatchObject([{ front: 'socks5' }]);
  });

  test('gets the reason of a refusal', async () => {
    expect(await run(['curl', '-sS', '-v', 'https://closed.test/'], { environment: variables() })).toMatchObject({
      status: 56,
      stderr: expect.stringContaining('403'),
    });
    expect(await run(['curl', '-sS', 'https://closed.test/'], { environment: onlyAll() })).toMatchObject({
      status: 97,
      stderr: expect.stringMatching(/SOCKS5.*\(2\)/),
    });
  });

  test('gets nothing without the secret', async () => {
    const environment = {
      http_proxy: `http://127.0.0.1:${proxy.port}`,
      HTTPS_PROXY: `http://holdfast:wrong@127.0.0.1:${proxy.port}`,
      ALL_PROXY: `socks5h://127.0.0.1:${proxy.port}`,
    };
    expect(await run(['curl', '-sS', '-w', '%{http_code}', 'http://plain.test/'], { environment })).toMatchObject({
      stdout: expect.stringMatching(/407$/),
    });
    expect(await run(['curl', '-sS', 'https://secure.test/'], { environment })).toMatchObject({
      status: 56,
      stderr: expect.stringContaining('407'),
    });
    expect(await run(['curl', '-sS', '--proto-default', 'ftp', 'ftp://plain.test/'], { environment })).toMatchObject({
      status: 97,
      stderr: expect.stringContaining('No authentication method was acceptable'),
    });
    expect(heads).toEqual([]);
  });
});

describe('Node', () => {
  const program = `
    const answers = await Promise.all(process.argv.slice(1).map(async (url) => (await fetch(url)).text()));
    process.stdout.write(answers.join(''));`;

  test('fetch with NODE_USE_ENV_PROXY', async () => {
    const { stdout, stderr } = await run(
      [
        process.execPath,
        '--input-type=module',
        '-e',
        program,
        'https://secure.test/1',
        'https://secure.test/2',
        'http://plain.test/3',
      ],
      { environment: variables() },
    );
    expect(stderr).toBe('');
    expect(stdout).toBe('GET secure.test/1\nGET secure.test/2\nGET plain.test/3\n');
  });

  test('an agent that keeps its connection to the proxy', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const get = (url: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const { host } = new URL(url);
        httpRequest(
          {
            host: '127.0.0.1',
            port: proxy.port,
            path: url,
            agent,
            headers: { host, 'proxy-authorization': `Basic ${proxy.basic}` },
          },
          (response) => {
            let text = '';
            response
              .setEncoding('utf8')
              .on('data', (chunk: string) => (text += chunk))
              .on('end', () => resolve(text));
          },
        )
          .on('error', reject)
          .end();
      });
    expect(await get('http://plain.test/1')).toBe('GET plain.test/1\n');
    expect(await get('http://other.test/2')).toBe('GET other.test/2\n');
    expect(await get('http://plain.test/3')).toBe('GET plain.test/3\n');
    agent.destroy();
  });
});

test('pipelined requests are not answered by another host', async () => {
  const socket = connect(proxy.port, '127.0.0.1').setEncoding('latin1');
  const get = (host: string): string =>
    `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: Basic ${proxy.basic}\r\nCookie: of=${host}\r\n\r\n`;
  socket.write(get('plain.test') + get('other.test'));
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
  expect(heads).toHaveLength(1);
  expect(heads.join('')).not.toContain('other.test');
});

describe.skipIf(programPath('python3') === undefined)(`Python${reason('python3')}`, () => {
  const program =
    'import sys, urllib.request\nfor url in sys.argv[1:]: print(urllib.request.urlopen(url).read().decode(), end="")';

  test('urllib, http:// and https://', async () => {
    const { stdout, stderr } = await run(
      ['python3', '-c', program, 'http://plain.test/1', 'https://secure.test/2', 'http://other.test/3'],
      { environment: variables() },
    );
    expect(stderr).toBe('');
    expect(stdout).toBe('GET plain.test/1\nGET secure.test/2\nGET other.test/3\n');
  });

  test('prints the reason of a refusal', async () => {
    expect(await run(['python3', '-c', program, 'https://closed.test/'], { environment: variables() })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('403'),
    });
  });
});

describe.skipIf(programPath('wget') === undefined)(`wget${reason('wget')}`, () => {
  test.each(['http://plain.test/w', 'https://secure.test/w'])('%s', async (url) => {
    expect(
      await run(['wget', '-q', '-O', '-', '--tries=1', `--ca-certificate=${bundle()}`, url], {
        environment: variables(),
      }),
    ).toMatchObject({ status: 0, stdout: expect.stringMatching(/^GET \w+\.test\/w\n$/) });
  });
});

describe.skipIf(programPath('git') === undefined)(`git${reason('git')}`, () => {
  test.each(['http://plain.test', 'https://secure.test'])('clones from %s', async (origin) => {
    const directory = scratch();
    const git = (...args: readonly string[]): string =>
      execFileSync(
        'git',
        ['-c', 'user.name=t', '-c', 'user.email=t@t.test', '-c', 'init.defaultBranch=main', ...args],
        { cwd: directory, encoding: 'utf8', env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } },
      );
    git('init', '-q', 'work');
    git('-C', 'work', 'commit', '-q', '--allow-empty', '-m', 'over the proxy');
    git('clone', '-q', '--bare', 'work', 'repository.git');
    git('-C', 'repository.git', 'update-server-info');
    repository = join(directory, 'repository.git');
    expect(
      await run(['git', 'clone', '-q', `${origin}/repository.git`, join(directory, 'clone')], {
        environment: variables(),
      }),
    ).toMatchObject({ status: 0, stderr: '' });
    expect(git('-C', 'clone', 'log', '--format=%s')).toBe('over the proxy\n');
    expect(proxy.handed[0]?.front).toBe(origin.startsWith('https') ? 'connect' : 'absolute-form');
  });
});

describe.skipIf(programPath('ssh') === undefined)(`ssh through a ProxyCommand${reason('ssh')}`, () => {
  /** Reads the secret from the environment, where no process list shows it. */
  const command = `
    const proxy = new URL(process.env.HTTPS_PROXY);
    const [, , target] = process.argv;
    const headers = { host: target, 'proxy-authorization': 'Basic ' + Buffer.from(proxy.username + ':' + proxy.password).toString('base64') };
    require('node:http').request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: target, headers })
      .on('connect', (answer, socket, head) => { process.stdout.write(head); process.stdin.pipe(socket).pipe(process.stdout); }).end();`;

  test('reaches its server over CONNECT, although the server speaks first', async () => {
    const proxyCommand = `${process.execPath} ${scratchFile('connect.cjs', command)} %h:%p`;
    const { stderr } = await run(
      [
        'ssh',
        '-v',
        '-F',
        '/dev/null',
        '-o',
        'BatchMode=yes',
        '-o',
        `ProxyCommand=${proxyCommand}`,
        '-p',
        '22',
        'nobody@ssh.test',
      ],
      { environment: variables() },
    );
    expect(stderr).toContain('remote software version Destination_1.0');
    expect(proxy.handed).toMatchObject([{ front: 'connect', destination: { host: 'ssh.test', port: 22 } }]);
  });
});

describe.skipIf(programPath('java') === undefined)(`Java${reason('java')}`, () => {
  const program = `
import java.io.*; import java.net.*; import java.util.*;
public class Get {
  public static void main(String[] args) throws Exception {
    Authenticator.setDefault(new Authenticator() { protected PasswordAuthentication getPasswordAuthentication() { return new PasswordAuthentication("holdfast", System.getenv("PROXY_SECRET").toCharArray()); } });
    Proxy proxy = new Proxy(Proxy.Type.valueOf(args[0]), new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1])));
    try (InputStream in = new URL(args[2]).openConnection(proxy).getInputStream()) { System.out.print(new String(in.readAllBytes())); }
  }
}`;

  test.each(['HTTP', 'SOCKS'])(
    'through a proxy of type %s, which answers a challenge',
    async (type) => {
      const outcome = await run(
        ['java', ...javaWords('Get', program), type, String(proxy.port), 'http://plain.test/j'],
        { environment: { PROXY_SECRET: proxy.secret } },
      );
      expect(outcome).toMatchObject({ status: 0, stdout: 'GET plain.test/j\n' });
      expect(proxy.handed).toMatchObject([
        { front: type === 'HTTP' ? 'absolute-form' : 'socks5', destination: { host: 'plain.test' } },
      ]);
    },
    30_000,
  );
});
