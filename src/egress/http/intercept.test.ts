import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp2, connect as connectHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certificate } from './testing/certificate.ts';
import { startFront } from './testing/front.ts';
import { rawExchange } from './testing/raw-client.ts';
import { httpsUpstream, httpUpstream } from './testing/servers.ts';

const run = promisify(execFile);
let directory = '';
let ca = '';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-http-'));
  ca = join(directory, 'ca.pem');
  writeFileSync(ca, certificate().cert);
});
afterAll(() => rmSync(directory, { recursive: true }));

const echo: Parameters<typeof httpsUpstream>[0] = async (request, response) => {
  const content = await text(request);
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ method: request.method, url: request.url, content }));
};

const script = (name: string, lines: readonly string[]): string => {
  const path = join(directory, name);
  writeFileSync(path, lines.join('\n'));
  return path;
};

describe('common client programs', () => {
  const clients: readonly (readonly [name: string, run: (port: number) => Promise<string>])[] = [
    [
      'curl',
      async (port) =>
        (
          await run('curl', [
            '-sS',
            '--cacert',
            ca,
            '--http1.1',
            '--max-time',
            '25',
            '-d',
            'hello',
            `https://127.0.0.1:${port}/a?b`,
          ])
        ).stdout,
    ],
    [
      'curl with Expect',
      async (port) =>
        (
          await run('curl', [
            '-sS',
            '--cacert',
            ca,
            '--http1.1',
            '--max-time',
            '25',
            '-H',
            'Expect: 100-continue',
            '-d',
            'hello',
            `https://127.0.0.1:${port}/a?b`,
          ])
        ).stdout,
    ],
    [
      'curl with chunks',
      async (port) =>
        (
          await run('curl', [
            '-sS',
            '--cacert',
            ca,
            '--http1.1',
            '--max-time',
            '25',
            '-H',
            'Transfer-Encoding: chunked',
            '-d',
            'hello',
            `https://127.0.0.1:${port}/a?b`,
          ])
        ).stdout,
    ],
    [
      'curl with HTTP/1.0',
      async (port) =>
        (
          await run('curl', [
            '-sS',
            '--cacert',
            ca,
            '--http1.0',
            '--no-alpn',
            '--max-time',
            '25',
            '-d',
            'hello',
            `https://127.0.0.1:${port}/a?b`,
          ])
        ).stdout,
    ],
    [
      'wget',
      async (port) =>
        (
          await run('wget', [
            '-qO-',
            `--ca-certificate=${ca}`,
            '--timeout=5',
            '--post-data=hello',
            `https://127.0.0.1:${port}/a?b`,
          ])
        ).stdout,
    ],
    [
      'Python urllib',
      async (port) =>
        (
          await run('python3', [
            script('client.py', [
              'import ssl, sys, urllib.request as u',
              'c = ssl.create_default_context(cafile=sys.argv[1])',
              'print(u.urlopen(sys.argv[2], b"hello", 5, context=c).read().decode())',
            ]),
            ca,
            `https://127.0.0.1:${port}/a?b`,
          ])
        ).stdout,
    ],
    [
      'Node fetch',
      async (port) =>
        (
          await run(
            process.execPath,
            [
              script('client.mjs', [
                "const answer = await fetch(process.argv[2], { method: 'POST', body: 'hello' });",
                'console.log(await answer.text());',
              ]),
              `https://127.0.0.1:${port}/a?b`,
            ],
            { env: { ...process.env, NODE_EXTRA_CA_CERTS: ca } },
          )
        ).stdout,
    ],
  ];

  test.each(clients)('%s', async (_, client) => {
    await using upstream = await httpsUpstream(echo);
    await using front = await startFront({ host: '127.0.0.1', upstreamPort: upstream.port });
    expect(JSON.parse(await client(front.port))).toEqual({ method: 'POST', url: '/a?b', content: 'hello' });
    expect(front.records).toMatchObject([
      { status: 200, request: { method: 'POST', scheme: 'https', host: '127.0.0.1', path: '/a' } },
    ]);
  });

  test('read the reason of a refusal', async () => {
    await using upstream = await httpsUpstream(echo);
    await using front = await startFront({ host: '127.0.0.1', upstreamPort: upstream.port, decide: () => 'deny' });
    const { stdout } = await run('curl', [
      '-sS',
      '--cacert',
      ca,
      '--http1.1',
      '-w',
      '%{http_code}',
      '-d',
      'hello',
      `https://127.0.0.1:${front.port}/`,
    ]);
    expect(stdout).toBe(
      'Holdfast refused this request: The rule test-rule says so.\nRule: test-rule (user layer, policy.toml:3)\nRemedy: Change test-rule.\n403',
    );
    expect(front.records).toMatchObject([
      { status: 403, verdict: { decision: 'deny', rule: 'test-rule' }, refusal: { code: 'policy' } },
    ]);
  });
});

describe('a refused request', () => {
  const refusing = (upstreamPort: number) =>
    startFront({ scheme: 'http', upstreamPort, decide: ({ path }) => (path === '/no' ? 'ask' : 'audit') });
  const host = 'Host: api.test\r\n';

  test.each([
    ['without content', `GET /no HTTP/1.1\r\n${host}\r\n`],
    ['with content', `POST /no HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`],
    ['with HEAD', `HEAD /no HTTP/1.1\r\n${host}\r\n`],
    ['for another host', `GET / HTTP/1.1\r\nHost: other.test\r\n\r\n`],
    ['with a strange path', `GET /%2e%2e HTTP/1.1\r\n${host}\r\n`],
  ])('%s leaves the connection usable', async (_, bytes) => {
    await using upstream = await httpUpstream((__, response) => response.end('passed'));
    await using front = await refusing(upstream.port);
    const { text: answer } = await rawExchange(
      front.port,
      `${bytes}GET / HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      'end',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d [^]*HTTP\/1\.1 200 OK[^]*passed$/);
    if (bytes.startsWith('HEAD')) expect(answer).not.toContain('Holdfast refused');
  });

  test.each([
    ['an expectation', 'Expect: 100-continue\r\nContent-Length: 5\r\n\r\n'],
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['much content', `Content-Length: 20000000\r\n\r\n${'x'.repeat(100_000)}`],
  ])('with %s ends the connection, after the client has read the reason', async (_, rest) => {
    await using upstream = await httpUpstream((__, response) => response.end('passed'));
    await using front = await refusing(upstream.port);
    const { text: answer, isClosed } = await rawExchange(front.port, `POST /no HTTP/1.1\r\n${host}${rest}`, 'end');
    expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*Connection: close\r\n\r\nHoldfast refused/);
    expect(isClosed).toBe(true);
  });

  test('is judged in every reading of its path', async () => {
    await using upstream = await httpUpstream((request, response) => response.end(request.url));
    await using front = await startFront({
      scheme: 'http',
      upstreamPort: upstream.port,
      decide: ({ path }) => (path.startsWith('/admin/') ? 'deny' : 'allow'),
    });
    const status = async (path: string): Promise<string> =>
      (await rawExchange(front.port, `GET ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, 'end')).text.slice(
        9,
        12,
      );
    for (const path of ['/admin/x', '/admin%2fx', '/admin;a/x', '/admin%3Ba/x', '/admin;a%2Fx/y'])
      expect([path, await status(path)]).toEqual([path, '403']);
    for (const path of ['/@types%2fnode', '/a;b/admin', '/xadmin%2fx'])
      expect([path, await status(path)]).toEqual([path, '200']);
  });
});

test('an unreachable destination is a 502 with the reason, each time', async () => {
  const openUpstream = async () => ({
    kind: 'refused' as const,
    refusal: { code: 'unreachable' as const, message: 'Nobody answers at 192.0.2.1.', remedy: 'Start it.' },
  });
  await using front = await startFront({ scheme: 'http', upstreamPort: 1, openUpstream });
  const get = 'GET / HTTP/1.1\r\nHost: api.test\r\n\r\n';
  const { text: answer } = await rawExchange(front.port, get + get, 2);
  expect(
    answer.match(
      /HTTP\/1\.1 502 Bad Gateway\r\nholdfast-refusal: unreachable\r\n[^]*?Nobody answers at 192\.0\.2\.1\./g,
    ),
  ).toHaveLength(2);
  expect(front.records).toMatchObject(
    Array.from({ length: 2 }, () => ({
      status: 502,
      verdict: { decision: 'allow' },
      refusal: { code: 'unreachable' },
    })),
  );
});

test('HTTP/2 in the clear is recognised by its preface, and served the same way', async () => {
  const server = createHttp2();
  server.on('stream', (stream, headers) => {
    stream.respond({ ':status': 200 });
    stream.end(`h2c ${headers[':path']}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await using front = await startFront({ scheme: 'http', upstreamPort: (server.address() as AddressInfo).port });
  const session = connectHttp2(`http://api.test:${front.port}`, {
    createConnection: () => connectTcp(front.port, '127.0.0.1'),
  });
  const stream = session.request({ ':path': '/x', ':authority': 'api.test' });
  expect(await text(stream)).toBe('h2c /x');
  expect(front.records).toMatchObject([{ status: 200, request: { scheme: 'http', path: '/x' } }]);
  session.close();
  server.close();
});

describe('a connection ends', () => {
  test('when its client closes it between two requests, or stays silent', async () => {
    await using upstream = await httpsUpstream(echo);
    await using front = await startFront({ upstreamPort: upstream.port });
    const client = connectTls({
      port: front.port,
      host: '127.0.0.1',
      servername: 'api.test',
      rejectUnauthorized: false,
    });
    await once(client, 'secureConnect');
    await expect.poll(front.open).toBe(1);
    client.end();
    await once(client.resume(), 'close');
    await expect.poll(front.open).toBe(0);
  });

  test('over TLS also when its client leaves in the middle of a silent stream', async () => {
    const ended = Promise.withResolvers<void>();
    await using upstream = await httpsUpstream((_, response) => {
      response.write('first');
      response.on('close', () => ended.resolve());
    });
    await using front = await startFront({ upstreamPort: upstream.port });
    const client = connectTls({
      port: front.port,
      host: '127.0.0.1',
      servername: 'api.test',
      rejectUnauthorized: false,
    });
    client.write('GET / HTTP/1.1\r\nHost: api.test\r\n\r\n');
    await once(client, 'data');
    client.end();
    await ended.promise;
  });
});
