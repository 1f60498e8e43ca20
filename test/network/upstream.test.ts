import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createHttpServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerOf, askedThrice } from './lib/asked-thrice.ts';
import { publicFile } from './lib/public-file.ts';
import {
  identityFor,
  type Listening,
  listening,
  newAuthority,
  secureServer,
  tcpServer,
  webServer,
} from './lib/servers.ts';
import { outcomeOf, World } from './lib/world.ts';

const name = 'web.example';
/** Nobody's address here: a client that dials it instead of the proxy gets no answer. */
const elsewhere = '192.0.1.1';
const grant = (port: number): string => `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]\n`;
const rule = `[[http]]\nname = "all"\ndecision = "allow"\nhosts = ["${name}"]\n`;

interface Proxy extends Listening {
  readonly asked: readonly string[];
}

/** A company's proxy: CONNECT with a password, always to one port of loopback. */
async function companyProxy(to: number, credentials = 'user:p@ss'): Promise<Proxy> {
  const asked: string[] = [];
  const expected = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const server = createHttpServer().on('connect', (request, socket: Socket, head: Buffer) => {
    asked.push(request.url ?? '');
    if (request.headers['proxy-authorization'] !== expected)
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    const upstream = connect({ port: to, host: '127.0.0.1' }).on('error', () => socket.destroy());
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  return { ...(await listening(server)), asked };
}

function hosts(...lines: readonly string[]): Readonly<Record<string, string>> {
  return { '/etc/hosts': ['127.0.0.1 localhost', ...lines, ''].join('\n') };
}

describe("behind a company's proxy", () => {
  test.each(['splice', 'interception'])('TLS goes through it with its password, by %s', async (way) => {
    const authority = newAuthority();
    const { port } = await secureServer(identityFor(authority, name));
    const proxy = await companyProxy(port);
    const ca = publicFile('ca.pem', authority.certificatePem);
    const policy =
      way === 'splice'
        ? `[network]\nhosts = ["${name}"]\n[environment.set]\nCURL_CA_BUNDLE = "${ca}"`
        : `[network]\nca = ["${ca}"]\n${rule}`;
    const world = new World({
      policy,
      read: [ca],
      files: hosts(`${elsewhere} ${name}`),
      environment: { HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}` },
    });
    const outcome = await world.inside(`env | grep -i proxy; curl -sS https://${name}/path`);
    expect(outcome).toMatchObject({ status: 0, stdout: `GET ${name} /path\n`, stderr: '' });
    expect(new Set(proxy.asked).size).toBe(1);
    expect(proxy.asked[0]).toMatch(/^(?:web\.example|192\.0\.1\.1):443$/u);
  });

  test('a wrong password gives an answer, without a hang', async () => {
    const proxy = await companyProxy(9, 'user:other');
    const world = new World({
      policy: `[network]\nhosts = ["x.example"]\n${rule}`,
      files: hosts(`${elsewhere} ${name}`),
      environment: { HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}` },
    });
    const outcome = await world.run(['curl', '-sS', '-w', '%{http_code}', `https://${name}/`]);
    expect(outcome.stdout).toMatch(/407[^]*502$/u);
    expect(outcome.stdout + outcome.stderr).not.toMatch(/p@ss|p%40ss/u);
  });

  test('NO_PROXY connects directly, and a refused host never reaches the proxy', async () => {
    const { port } = await webServer();
    const proxy = await companyProxy(port);
    const world = new World({
      names: [name],
      policy: grant(port),
      environment: { ALL_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}`, NO_PROXY: name },
    });
    const outcome = await world.inside(
      `curl -sS http://${name}:${port}/; curl -sS -o /dev/null -w '%{http_code}' http://refused.example/`,
    );
    expect(outcome).toMatchObject({ stdout: `GET ${name} /\n403` });
    expect(proxy.asked).toEqual([]);
  });

  test('a missing proxy is reported at once', async () => {
    const world = new World({
      policy: `[network]\n${rule}`,
      files: hosts(`${elsewhere} ${name}`),
      environment: { HTTPS_PROXY: 'http://127.0.0.1:9' },
    });
    const { stdout } = await world.inside(askedThrice(`https://${name}/`));
    expect(stdout).toMatch(/proxy/u);
    expect(answerOf(stdout).status).toBe('502');
    // Holdfast abandons a dial after ten seconds.
    expect(answerOf(stdout).seconds).toBeLessThan(5);
  });
});

describe('certificates of servers', () => {
  const day = 86_400_000;

  test.each([
    [
      'of an authority that nobody trusts',
      () => ({ trusted: newAuthority(), issuer: newAuthority(), host: name, now: Date.now() }),
    ],
    ['that has expired', () => sameAuthority(name, Date.now() - 90 * day)],
    ['that is not valid yet', () => sameAuthority(name, Date.now() + 90 * day)],
    ['for another name', () => sameAuthority('other.example', Date.now())],
  ])('one %s is refused, inside TLS, and journalled', async (_, make) => {
    const { trusted, issuer, host, now } = make();
    const { port } = await secureServer(identityFor(issuer, host, now));
    const world = new World({
      names: [name],
      policy: `${grant(port)}ca = ["${publicFile('ca.pem', trusted.certificatePem)}"]\n${rule}`,
    });
    const outcome = await world.run(['curl', '-sS', '-w', '%{http_code}', `https://${name}:${port}/`]);
    expect(outcome.stdout).toMatch(/certificate[^]*502$/u);
    expect(outcome.stderr).toMatch(/holdfast: .*certificate/u);
    expect(world.journal()).toContainEqual(
      expect.objectContaining({
        type: 'request',
        status: 502,
        refusal: expect.objectContaining({ code: 'upstream-certificate' }),
      }),
    );
  });

  function sameAuthority(host: string, now: number) {
    const authority = newAuthority();
    return { trusted: authority, issuer: authority, host, now };
  }
});

describe('servers that fail', () => {
  test.each(['splice', 'interception'])(
    'a reset in the middle of a body reaches the client through %s',
    async (way) => {
      const { port } = await webServer((_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('half', () => setTimeout(() => response.socket?.resetAndDestroy(), 50));
      });
      const world = new World({ names: [name], policy: grant(port) + (way === 'splice' ? '' : rule) });
      const outcome = await world.run(['curl', '-sS', `http://${name}:${port}/`]);
      // Silence would last for a quarter of an hour. A hanging process is killed and has no status.
      expect([18, 56]).toContain(outcome.status);
      expect(outcome.stdout).toBe('half');
    },
  );

  test.each([
    ['splice', ''],
    ['interception', rule],
  ])('a closed port is reported at once: %s', async (_, rules) => {
    const { port } = await closedServer();
    const world = new World({ names: [name], policy: grant(port) + rules });
    const { stdout } = await world.inside(askedThrice(`http://${name}:${port}/`));
    expect(stdout).toMatch(/web\.example port \d+ cannot be reached[^]*ECONNREFUSED/u);
    expect(answerOf(stdout).status).toBe('502');
    // Holdfast abandons a dial after ten seconds.
    expect(answerOf(stdout).seconds).toBeLessThan(5);
    expect(JSON.stringify(world.journal())).toContain('"unreachable"');
  });

  test('a silent one ends with its client', async () => {
    const { port } = await tcpServer((socket) => socket.resume());
    const world = new World({ names: [name], policy: grant(port) + rule });
    const outcome = await world.run(['curl', '-sS', '--max-time', '1', `http://${name}:${port}/`]);
    expect(outcome).toMatchObject({ status: 28 });
  });

  test('an endless one ends with its client', async () => {
    const { port } = await webServer((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(1000)), 5);
      response.on('close', () => clearInterval(timer)).on('error', () => undefined);
    });
    const world = new World({ names: [name], policy: grant(port) + rule });
    const outcome = await world.inside(`curl -sS http://${name}:${port}/ | head -c 5000 | wc -c`);
    expect(outcome).toMatchObject({ status: 0, stdout: '5000\n' });
  });

  test('one without HTTP: 502', async () => {
    const { port } = await tcpServer((socket) => void socket.end('220 smtp ready\r\n\r\n'));
    const world = new World({ names: [name], policy: grant(port) + rule });
    const outcome = await world.run(['curl', '-sS', '-w', '%{http_code}', `http://${name}:${port}/`]);
    expect(outcome.stdout).toMatch(/502$/u);
  });
});

describe('name servers that fail', () => {
  const resolvConf = (address: string): Readonly<Record<string, string>> => ({
    '/etc/resolv.conf': `nameserver ${address}\noptions timeout:1 attempts:1\n`,
  });

  test('one that is down gives a clear answer at once', async () => {
    const world = new World({ policy: `[network]\nhosts = ["nowhere.example"]`, files: resolvConf('127.0.0.83') });
    const { stdout } = await world.inside(askedThrice('http://nowhere.example/'));
    expect(stdout).toMatch(/nowhere\.example/u);
    expect(answerOf(stdout).status).toBe('502');
    // A silent server has one second, and a look-up five in all.
    expect(answerOf(stdout).seconds).toBeLessThan(1);
    expect(JSON.stringify(world.journal())).toContain('resolver-failed');
  });

  test.skipIf(process.getuid?.() !== 0)('a silent one gives an answer after its timeout', async () => {
    const socket = createSocket('udp4').bind(53, '127.0.0.84');
    await once(socket, 'listening');
    onTestFinished(() => void socket.close());
    const asked: Buffer[] = [];
    socket.on('message', (message) => asked.push(message));
    const world = new World({ policy: `[network]\nhosts = ["nowhere.example"]`, files: resolvConf('127.0.0.84') });
    const { stdout } = await world.inside(askedThrice('http://nowhere.example/'));
    expect(stdout).toMatch(/nowhere\.example/u);
    expect(answerOf(stdout).status).toBe('502');
    // It has one second. Otherwise a look-up would end after five.
    expect(answerOf(stdout).seconds).toBeGreaterThan(0.9);
    expect(answerOf(stdout).seconds).toBeLessThan(4.5);
    expect(asked.length).toBeGreaterThan(0);
    const refused = await world.run(['curl', '-sS', '-w', '%{http_code}', 'http://secret.refused.example/']);
    expect([
      refused.stdout.slice(-3),
      asked.some((message) => message.toString('latin1').toLowerCase().includes('secret')),
    ]).toEqual(['403', false]);
  });
});

describe('outside of boxes', () => {
  test('holdfast fetch gets granted URLs, and reports its refusals', async () => {
    const { port } = await webServer();
    const world = new World({ names: [name], policy: grant(port) });
    expect(await world.holdfast(['fetch', `http://${name}:${port}/page`])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`GET ${name} /page`),
    });
    expect(await world.holdfast(['fetch', 'http://refused.example/'])).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('GET http://refused.example:80/ is refused'),
    });
  });

  test('holdfast proxy serves only clients with its secret', async () => {
    const { port } = await webServer();
    const world = new World({ names: [name], policy: grant(port) });
    const proxy = world.start(['proxy', '--json']);
    onTestFinished(() => void proxy.kill('SIGKILL'));
    const [exports] = (await once(proxy.stdout ?? proxy, 'data')) as [Buffer];
    const { http_proxy: url = '' } = JSON.parse(String(exports)) as Readonly<Record<string, string>>;
    const get = (through: string): Promise<{ readonly stdout: string }> =>
      outcomeOf(world.spawn(['curl', '-sS', '-x', through, '-w', '%{http_code}', `http://${name}:${port}/`]));
    expect((await get(url)).stdout).toBe(`GET ${name} /\n200`);
    expect((await get(url.replace(/\/\/[^@]*@/u, '//holdfast:wrong@'))).stdout).toMatch(/407$/u);
    expect((await get(url.replace('http://', 'socks5h://'))).stdout).toBe(`GET ${name} /\n200`);
  });
});

async function closedServer(): Promise<{ readonly port: number }> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return { port };
}
