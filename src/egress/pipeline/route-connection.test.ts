import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createAuthority } from '../tls/authority.ts';
import { identity } from '../tls/testing/servers.ts';
import type { EgressRefusal } from '../types.ts';
import type { ServedConnection } from './context.ts';
import { serveConnection, serveRequests } from './serve-connection.ts';
import { type Bench, bench, type BenchOptions, heard, sent } from './testing/pipeline.ts';
import { dialsTo, upstreamAuthority } from './testing/web.ts';

const name = 'openai.credentials.holdfast';
const target = { host: 'api.example', port: 443 };
const at = { host: name, port: 80 };

interface Api {
  readonly port: number;
  readonly server: ReturnType<typeof createHttpsServer>;
  readonly asked: string[];
}

async function api(
  listener: RequestListener = (_, response) => void response.end('answer'),
  authority = upstreamAuthority,
): Promise<Api> {
  const asked: string[] = [];
  const server = createHttpsServer(identity(authority, target.host), (request: IncomingMessage, response) => {
    asked.push(`${request.method} ${request.headers.host} ${request.url}`);
    listener(request, response as never);
  });
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, server, asked };
}

function routing(port: number, more: BenchOptions & { readonly policy?: string } = {}): Bench {
  const { policy = `[network]\nhosts = ["${target.host}", "127.0.0.1:443"]`, ...options } = more;
  return bench(policy, {
    routes: new Map([[name, target]]),
    roots: [upstreamAuthority.certificatePem],
    dial: dialsTo(port).dial,
    authority: { tlsTreatment: () => expect.unreachable() },
    ...options,
  });
}

const through =
  ({ context }: Bench) =>
  (served: ServedConnection) =>
    serveConnection(served, context);

async function ask(box: Bench, request: string): Promise<string> {
  const { client, ended } = await sent(at, through(box));
  const said = heard(client);
  client.write(request);
  const answer = await said;
  await ended;
  return answer;
}

const get = (host: string, path = '/v1/models'): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

describe('a request at a route', () => {
  test.each([name, `${name}:80`, name.toUpperCase()])(
    'for %s goes out as https, to the host of the route',
    async (host) => {
      const { port, asked } = await api();
      const seen: unknown[] = [];
      const box = routing(port, {
        interceptors: [
          (send, { destination, scheme }) =>
            (request) => (seen.push([destination, scheme, request.scheme, request.authority]), send(request)),
        ],
      });
      expect(await ask(box, get(host))).toMatch(/^HTTP\/1\.1 200 [^]*answer$/u);
      expect([asked, seen]).toEqual([['GET api.example /v1/models'], [[target, 'https', 'https', 'api.example']]]);
      expect(box.requests).toMatchObject([
        {
          destination: target,
          request: { scheme: 'https', host: target.host, port: 443, path: '/v1/models' },
          status: 200,
          verdict: { decision: 'allow' },
        },
      ]);
      expect(box.connections).toMatchObject([{ destination: at, bytesReceived: expect.any(Number) }]);
      expect(box.lookups).toEqual([target.host]);
    },
  );

  test('may come by HTTP/1.0 without a host, and by absolute URL', async () => {
    const { port, asked } = await api();
    expect(await ask(routing(port), 'GET /old HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /u);
    expect(await ask(routing(port), get(name, `http://${name}/absolute`))).toMatch(/^HTTP\/1\.1 200 /u);
    expect(asked).toEqual(['GET api.example /old', 'GET api.example /absolute']);
  });

  test('names the port if it is not that of https', async () => {
    const { port, asked } = await api();
    const box = routing(port, {
      policy: '[network]\nhosts = ["api.example:8443", "127.0.0.1:8443"]',
      routes: new Map([[name, { host: target.host, port: 8443 }]]),
    });
    expect(await ask(box, get(name))).toMatch(/^HTTP\/1\.1 200 /u);
    expect(asked).toEqual(['GET api.example:8443 /v1/models']);
  });

  test('is one of several on its connection, and all are answered', async () => {
    const { port, asked } = await api();
    const { client, ended } = await sent(at, through(routing(port)));
    const said = heard(client);
    client.write(`GET /1 HTTP/1.1\r\nHost: ${name}\r\n\r\nGET /2 HTTP/1.1\r\nHost: ${name}\r\n\r\n${get(name, '/3')}`);
    expect((await said).match(/HTTP\/1\.1 200/gu)).toHaveLength(3);
    await ended;
    expect(asked).toEqual(['GET api.example /1', 'GET api.example /2', 'GET api.example /3']);
  });

  test('streams its answer event by event', async () => {
    const go = Promise.withResolvers<void>();
    const { port } = await api((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n');
      void go.promise.then(() => response.end('data: two\n\n'));
    });
    const { client, ended } = await sent(at, through(routing(port)));
    client.write(get(name));
    let text = '';
    client.on('data', (bytes: Buffer) => (text += String(bytes)));
    await expect.poll(() => text).toContain('data: one');
    expect(text).not.toContain('two');
    go.resolve();
    await expect.poll(() => text).toContain('data: two');
    client.end();
    await ended;
  });

  test('may be a WebSocket', async () => {
    const { port, server } = await api();
    new WebSocketServer({ server }).on('connection', (socket, request) => {
      socket.send(`${request.headers.host} ${request.url}`);
      socket.on('message', (data) => socket.send(data));
    });
    const box = routing(port);
    const { client, ended } = await sent(at, through(box));
    const socket = new WebSocket(`ws://${name}/realtime`, { createConnection: () => client });
    const [first] = (await once(socket, 'message')) as [Buffer];
    socket.send('echo');
    expect([String(first), String((await once(socket, 'message'))[0])]).toEqual(['api.example /realtime', 'echo']);
    socket.close();
    await ended;
    expect(box.requests).toMatchObject([{ status: 101, request: { scheme: 'wss', host: target.host } }]);
  });

  test('may come through a proxy too', async () => {
    const { port, asked } = await api();
    const box = routing(port);
    const { client, ended } = await sent(at, (served) => serveRequests(served, box.context));
    const said = heard(client);
    client.write(get(name));
    expect(await said).toMatch(/^HTTP\/1\.1 200 /u);
    await ended;
    expect(asked).toEqual(['GET api.example /v1/models']);
  });
});

describe('a route grants nothing', () => {
  test.each([
    ['the host is not granted', '[network]\nhosts = ["other.example"]', 'policy'],
    [
      'no rule allows the request',
      `[[http]]\nname = "post"\ndecision = "allow"\nhosts = ["${target.host}"]\nmethods = ["POST"]`,
      'policy',
    ],
  ])('where %s', async (_, policy, code) => {
    const { port, asked } = await api();
    const box = routing(port, { policy });
    expect(await ask(box, get(name))).toMatch(/^HTTP\/1\.1 403 /u);
    expect([asked, box.lookups, box.refusals.map((refusal) => refusal.code)]).toEqual([[], [], [code]]);
    expect(box.requests).toMatchObject([{ destination: target, status: 403 }]);
  });

  test('where the host has an internal address', async () => {
    const { port, asked } = await api();
    const box = routing(port, { names: { [target.host]: ['169.254.169.254'] } });
    expect(await ask(box, get(name))).toMatch(/^HTTP\/1\.1 403 /u);
    expect([asked, box.refusals[0]?.code]).toEqual([[], 'special-address']);
  });

  test('where the server proves no identity', async () => {
    const { port, asked } = await api(undefined, createAuthority());
    const box = routing(port);
    expect(await ask(box, get(name))).toMatch(/^HTTP\/1\.1 502 /u);
    expect([asked, box.refusals[0]?.code]).toEqual([[], 'upstream-certificate']);
  });

  test('and its interceptors learn of a redirect', async () => {
    const { port } = await api();
    const seen: unknown[] = [];
    const policy = `[network]\nhosts = ["b.example", "127.0.0.1:443", "${target.host}"]\n[[connect]]\nname = "r"\ndecision = "redirect"\nredirect_to = "b.example:443"\nhosts = ["${target.host}"]`;
    await ask(
      routing(port, { policy, interceptors: [(send, { redirected }) => (seen.push(redirected), send)] }),
      get(name),
    );
    expect(seen).toEqual([{ host: 'b.example', port: 443 }]);
  });
});

describe('anything else at a route is refused', () => {
  // Attack: the route's connection used for a host of the client's choice.
  test.each(['api.example', 'evil.example', `${name}:443`, `${name}.evil.example`, `x@${name}`, ''])(
    'the host %j',
    async (host) => {
      const { port, asked } = await api();
      const box = routing(port);
      expect(await ask(box, get(host))).toMatch(/^HTTP\/1\.1 4(?:00|21) /u);
      expect([asked, box.dialled]).toEqual([[], []]);
    },
  );

  test.each([
    ['a URL of the host that it leads to', `https://${target.host}/x`],
    ['a URL of itself over TLS', `https://${name}/x`],
    ['a URL of someone else', 'http://evil.example/x'],
  ])('%s', async (_, url) => {
    const { port, asked } = await api();
    expect(await ask(routing(port), get(name, url))).toMatch(/^HTTP\/1\.1 421 /u);
    expect(asked).toEqual([]);
  });

  test('HTTP/2', async () => {
    const { port } = await api();
    expect(await ask(routing(port), 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).toMatch(/^HTTP\/1\.1 (?:400|505) /u);
  });

  test('TLS, with the answer inside it', async () => {
    const { port } = await api();
    const box = routing(port);
    const { client, ended } = await sent(at, through(box));
    const secure = connectTls({ socket: client, servername: name, ca: box.session.certificatePem });
    const said = heard(secure as unknown as Socket);
    secure.write(get(name));
    expect(await said).toMatch(
      /^HTTP\/1\.1 400 [^]*is for plain HTTP\/1\.1[^]*http:\/\/openai\.credentials\.holdfast\//u,
    );
    await ended;
    expect(box.connections).toMatchObject([{ destination: at, refusal: { code: 'malformed-request' } }]);
  });

  test.each(['SSH-2.0-OpenSSH\r\n', '\0\0\0\x08'])('%j', async (bytes) => {
    const { port } = await api();
    expect(await ask(routing(port), bytes)).toBe('reset');
  });

  test.each([443, 8080, 22])('port %d', async (port) => {
    const box = routing(1);
    const said: EgressRefusal[] = [];
    const { client, ended } = await sent({ host: name, port }, through(box), {
      refuse: (refusal) => void said.push(refusal),
    });
    client.resume().end();
    await ended;
    expect(said).toMatchObject([{ code: 'malformed-host', remedy: `use http://${name}/` }]);
    expect([box.dialled, box.lookups]).toEqual([[], []]);
  });

  test('silence, which ends with the client', async () => {
    const box = routing(1);
    const { client, ended } = await sent(at, through(box));
    client.destroy();
    await ended;
    expect(box.connections).toMatchObject([{ destination: at }]);
  });
});
