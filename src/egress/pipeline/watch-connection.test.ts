import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { settle, stopClock } from '../testing/stopped-clock.ts';
import { closedPort, serve } from '../dial/testing/loopback.ts';
import { createAuthority } from '../tls/authority.ts';
import { identity, tlsServer } from '../tls/testing/servers.ts';
import { watchFor } from '../testing/watches.ts';
import type { EgressRefusal } from '../types.ts';
import type { ServedConnection } from './context.ts';
import { serveConnection } from './serve-connection.ts';
import { type Bench, bench, type BenchOptions, heard, sent } from './testing/pipeline.ts';
import { dialsTo, upstreamAuthority, web } from './testing/web.ts';

const host = 'a.example';
const word = 'phantom_EXAMPLE';
const through =
  ({ context }: Bench) =>
  (served: ServedConnection) =>
    serveConnection(served, context);

interface Watching extends Bench {
  /** What interceptors saw, method and scheme and path. */
  readonly seen: string[];
}

/** A box whose connections to `host:port` are granted, and watched. */
function watching(port: number, more: BenchOptions = {}): Watching {
  const seen: string[] = [];
  const own = bench(`[network]\nhosts = ["${host}:${port}", "127.0.0.1:${port}", "localhost:${port}"]`, {
    roots: [upstreamAuthority.certificatePem],
    watch: () => watchFor(word),
    interceptors: [
      (send) => (request) => (seen.push(`${request.method} ${request.scheme} ${request.target}`), send(request)),
    ],
    ...more,
    authority: { tlsTreatment: () => 'watch', ...more.authority },
  });
  return { ...own, seen };
}

/** The same for port 443, which is really another one. */
function watching443(port: number, more: BenchOptions = {}): Watching {
  return watching(443, {
    dial: dialsTo(port).dial,
    ...more,
    authority: { decideAddress: () => ({ ...allowed }), ...more.authority },
  });
}

const allowed = {
  decision: 'allow',
  code: 'rule',
  rule: 'r',
  layer: 'user',
  file: 'f',
  line: 1,
  message: 'm',
  remedy: 'r',
} as const;

interface Visit {
  readonly secure: TLSSocket;
  readonly ended: Promise<void>;
}

async function visit(
  box: Bench,
  port: number,
  {
    alpn,
    servername = host,
    ca = box.session.certificatePem,
  }: { readonly alpn?: readonly string[]; readonly servername?: string; readonly ca?: string } = {},
): Promise<Visit> {
  const { client, ended } = await sent({ host, port }, through(box));
  const secure = connectTls({
    socket: client,
    servername,
    ca,
    ...(alpn === undefined ? {} : { ALPNProtocols: [...alpn] }),
  });
  secure.on('error', () => undefined);
  onTestFinished(() => void secure.destroy());
  return { secure, ended };
}

async function ask({ secure, ended }: Visit, authority: string): Promise<string> {
  const said = heard(secure as unknown as Socket);
  secure.write(`GET /path HTTP/1.1\r\nHost: ${authority}\r\nConnection: close\r\n\r\n`);
  const answer = await said;
  secure.destroy();
  await ended;
  return answer;
}

/** A TLS server that speaks no HTTP. */
async function tlsSpeaker(speak: (socket: TLSSocket) => void): Promise<number> {
  const server = createTlsServer({ ...identity(upstreamAuthority, host), allowHalfOpen: true }, (socket) =>
    speak(socket.on('error', () => undefined)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as { readonly port: number }).port;
}

describe('requests', () => {
  test('in the clear are inspected, judged and recorded, over the connection that was dialled before', async () => {
    const { port } = await serve((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nplain')),
    );
    const box = watching(port);
    const { client, ended } = await sent({ host, port }, through(box));
    const said = heard(client);
    client.write(`GET /x HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`);
    expect(await said).toMatch(/plain$/u);
    await ended;
    expect([box.seen, box.dialled.length]).toEqual([['GET http /x'], 1]);
    expect(box.requests).toMatchObject([
      { status: 200, request: { scheme: 'http', host, port, path: '/x' }, verdict: { decision: 'allow' } },
    ]);
    expect(box.connections).toMatchObject([
      { address: '127.0.0.1', verdict: { decision: 'allow' }, bytesReceived: expect.any(Number) },
    ]);
  });

  test('inside TLS are inspected too', async () => {
    const { port, asked } = await web('h1');
    const box = watching(port);
    expect(await ask(await visit(box, port, { alpn: ['http/1.1'] }), `${host}:${port}`)).toMatch(
      /^HTTP\/1\.1 200 [^]*answer$/u,
    );
    expect([asked, box.seen, box.dialled.length]).toEqual([['GET /path'], ['GET https /path'], 1]);
  });

  test('of HTTP/2 are inspected too', async () => {
    const { port, asked, open } = await web('h2');
    const box = watching(port);
    const { secure, ended } = await visit(box, port, { alpn: ['h2', 'http/1.1'] });
    await once(secure, 'secureConnect');
    const session = connectHttp2(`https://${host}:${port}`, { createConnection: () => secure });
    const stream = session.request({ ':path': '/two' });
    expect(String(Buffer.concat((await stream.toArray()) as Buffer[]))).toBe('answer');
    session.destroy();
    await ended;
    expect([asked, box.seen, box.dialled.length]).toEqual([['GET /two'], ['GET https /two'], 1]);
    await expect.poll(open).toBe(0);
  });

  test('of a client without ALPN are inspected at the port of https', async () => {
    const { port, asked } = await web('h1');
    const box = watching443(port);
    expect(await ask(await visit(box, 443), host)).toMatch(/^HTTP\/1\.1 200 /u);
    expect([asked, box.seen]).toEqual([['GET /path'], ['GET https /path']]);
  });

  test('that come late are still requests', async () => {
    const { port } = await serve((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')),
    );
    const box = watching(port);
    const { client, ended } = await sent({ host, port }, through(box));
    const said = heard(client);
    for (const part of ['GE', `T /late HTTP/1.1\r\nHo`, `st: ${host}:${port}\r\nConnection: close\r\n\r\n`]) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      client.write(part);
    }
    expect(await said).toMatch(/^HTTP\/1\.1 204 /u);
    await ended;
    expect(box.seen).toEqual(['GET http /late']);
  });

  test('on the host’s loopback may use any of its names', async () => {
    const { port } = await serve((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')),
    );
    for (const name of ['localhost', '127.0.0.1', '[::1]', 'app.localhost']) {
      const box = watching(port);
      const { client } = await sent({ host: '127.0.0.1', port }, through(box));
      const said = heard(client);
      client.write(`GET / HTTP/1.1\r\nHost: ${name}:${port}\r\nConnection: close\r\n\r\n`);
      expect(await said).toMatch(/ok$/u);
    }
  });

  test('inside TLS to a server without a valid certificate get a 502', async () => {
    const { port, secured } = await tlsServer(identity(createAuthority(), host));
    const box = watching(port);
    expect(await ask(await visit(box, port, { alpn: ['http/1.1'] }), `${host}:${port}`)).toMatch(/^HTTP\/1\.1 502 /u);
    expect(box.requests).toMatchObject([{ refusal: { code: 'upstream-certificate' } }]);
    expect(secured.every(({ bytesRead }) => bytesRead === 0)).toBe(true);
  });

  test('are judged by the current policy', async () => {
    const { port, asked } = await web('h1');
    const box = watching(port, {
      authority: { decide: (request) => ({ ...allowed, decision: request.kind === 'http' ? 'deny' : 'allow' }) },
    });
    expect(await ask(await visit(box, port, { alpn: ['http/1.1'] }), `${host}:${port}`)).toMatch(/^HTTP\/1\.1 403 /u);
    expect(asked).toEqual([]);
  });
});

describe('another protocol', () => {
  const echo = (socket: Socket): void => void socket.pipe(socket);

  test.each([
    ['bytes', '\0\x01\x02binary'],
    ['SSH', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['text that begins like a request and is not one', 'NICK someone\r\nUSER someone 0 * :Some Body\r\n'],
    ['text that begins like a request and ends', 'HELLO'],
    ['half of a hello', '\x16\x03\x01\x02'],
  ])('is carried: %s', async (_, text) => {
    const { port } = await serve(echo);
    const box = watching(port);
    const { client, ended } = await sent({ host, port }, through(box));
    const said = heard(client);
    client.end(Buffer.from(text, 'latin1'));
    expect(await said).toBe(text);
    await ended;
    expect(box.connections).toMatchObject([
      { address: '127.0.0.1', bytesSent: text.length, bytesReceived: text.length },
    ]);
    expect([box.refusals, box.requests, box.dialled.length]).toEqual([[], [], 1]);
  });

  test('is not delayed if its server speaks first', async () => {
    const { port } = await serve((socket) => {
      socket.write('220 mail.example ESMTP\r\n');
      socket.once('data', () => socket.end('250 hello\r\n'));
    });
    const box = watching(port);
    stopClock();
    const { client, ended } = await sent({ host, port }, through(box));
    const [banner] = (await once(client, 'data')) as [Buffer];
    const said = heard(client);
    client.end('EHLO box\r\n');
    expect(String(banner) + (await said)).toBe('220 mail.example ESMTP\r\n250 hello\r\n');
    await ended;
    expect(box.refusals).toEqual([]);
  });

  test('stays open while both sides wait', async () => {
    const { port } = await serve((socket) => void socket.on('data', (bytes) => socket.write(bytes)));
    const box = watching(port);
    const { client } = await sent({ host, port }, through(box));
    await new Promise((resolve) => setTimeout(resolve, 400));
    client.write('\0late');
    expect(String((await once(client, 'data'))[0])).toBe('\0late');
  });

  test('is cut off at a phantom, in any pieces, and the server gets no byte of it', async () => {
    const got: Buffer[] = [];
    const { port } = await serve((socket) => socket.on('data', (bytes: Buffer) => got.push(bytes)));
    const box = watching(port);
    const { client, ended } = await sent({ host, port }, through(box));
    const said = heard(client);
    // What is held back would go on in a pause, and the pause is as long as the machine is slow.
    stopClock();
    for (const part of ['\0before ', word.slice(0, 4), word.slice(4, 9), `${word.slice(9)} after`]) {
      client.write(part);
      await settle();
    }
    expect(await said).toBe('reset');
    await ended;
    expect(String(Buffer.concat(got))).toBe('\0before ');
    expect(box.refusals).toMatchObject([
      { code: 'phantom-misused', message: expect.stringContaining(`${host}:${port}`) },
    ]);
    expect(box.connections).toMatchObject([
      { refusal: { code: 'phantom-misused' }, verdict: { decision: 'allow' }, address: '127.0.0.1' },
    ]);
  });

  test('is cut off even if the server has spoken first', async () => {
    const { port } = await serve((socket) => void socket.resume().write('banner'));
    const box = watching(port);
    const { client, ended } = await sent({ host, port }, through(box));
    await once(client, 'data');
    const said = heard(client);
    client.write(`PASS ${word}\r\n`);
    expect(await said).toBe('reset');
    await ended;
    expect(box.refusals).toMatchObject([{ code: 'phantom-misused' }]);
  });

  test('has a watch of its own for each connection', async () => {
    const { port } = await serve(echo);
    const asked: unknown[] = [];
    const box = watching(port, { watch: (destination) => (asked.push(destination), watchFor(word)) });
    for (const half of [word.slice(0, 8), word.slice(8)]) {
      const { client } = await sent({ host, port }, through(box));
      const said = heard(client);
      client.end(`\0${half}`);
      expect(await said).toBe(`\0${half}`);
    }
    expect(asked).toEqual([
      { host, port },
      { host, port },
    ]);
  });

  test('is reset if the watch fails, which is an internal error', async () => {
    const { port } = await serve(echo);
    const box = watching(port, {
      watch: () => ({
        push: () => {
          throw new Error('ours');
        },
        end: () => Buffer.alloc(0),
      }),
    });
    const { client, ended } = await sent({ host, port }, through(box));
    const said = heard(client);
    client.write('\0\0');
    expect(await said).toBe('reset');
    await ended;
    expect(box.connections).toMatchObject([
      { refusal: { code: 'upstream-protocol', message: 'the connection could not be served: ours' } },
    ]);
  });

  test.each(['reset', 'end'])('gets a server’s %s', async (how) => {
    const { port } = await serve((socket) =>
      socket.once('data', () => (how === 'reset' ? socket.resetAndDestroy() : socket.end('last'))),
    );
    const box = watching(port);
    const { client, ended } = await sent({ host, port }, through(box));
    const said = heard(client);
    client.write('\0\0');
    expect(await said).toBe(how === 'reset' ? 'reset' : 'last');
    await ended;
  });
});

describe('TLS without HTTP', () => {
  test('at a port other than those of https is not intercepted, and the client sees the server’s own certificate', async () => {
    const { port } = await tlsServer(identity(upstreamAuthority, host));
    const box = watching(port);
    const { secure, ended } = await visit(box, port, { ca: upstreamAuthority.certificatePem });
    expect(String((await once(secure, 'data'))[0])).toBe('hello');
    expect(secure.authorized).toBe(true);
    secure.destroy();
    await ended;
    expect(box.connections[0]).not.toHaveProperty('refusal');
  });

  test('is not intercepted at any port if its client offers another protocol', async () => {
    const port = await tlsSpeaker((socket) => void socket.end('direct'));
    const box = watching443(port);
    const { secure } = await visit(box, 443, { alpn: ['postgresql'], ca: upstreamAuthority.certificatePem });
    expect(String((await once(secure, 'data'))[0])).toBe('direct');
  });

  test.each([
    ['at the port of https', 443, undefined],
    ['although its client offers HTTP', 5000, ['http/1.1']],
  ] as const)('is carried after TLS was ended for it %s', async (_, port, alpn) => {
    const at = await tlsSpeaker((socket) => void socket.pipe(socket));
    const box = port === 443 ? watching443(at) : watching(port, { dial: dialsTo(at).dial });
    const { secure, ended } = await visit(box, port, alpn === undefined ? {} : { alpn });
    const said = heard(secure as unknown as Socket);
    secure.end('SSH-2.0-OpenSSH_9.2\r\n');
    expect(await said).toBe('SSH-2.0-OpenSSH_9.2\r\n');
    await ended;
    expect([box.requests, box.refusals]).toEqual([[], []]);
    expect(box.connections).toMatchObject([{ bytesSent: expect.any(Number), verdict: { decision: 'allow' } }]);
  });

  test('is not delayed there either if its server speaks first', async () => {
    const port = await tlsSpeaker((socket) => void socket.write('* OK IMAP ready\r\n'));
    const box = watching443(port);
    stopClock();
    const { secure } = await visit(box, 443);
    expect(String((await once(secure, 'data'))[0])).toBe('* OK IMAP ready\r\n');
  });

  test('is cut off at a phantom', async () => {
    const got: Buffer[] = [];
    const port = await tlsSpeaker((socket) => void socket.on('data', (bytes: Buffer) => got.push(bytes)));
    const box = watching443(port);
    const { secure, ended } = await visit(box, 443);
    secure.write('LOGIN me\r\n');
    await expect.poll(() => got.length).toBe(1);
    const said = heard(secure as unknown as Socket);
    secure.write(`${word}\r\n`);
    expect(await said).toBe('reset');
    await ended;
    expect(String(Buffer.concat(got))).toBe('LOGIN me\r\n');
    expect(box.refusals).toMatchObject([{ code: 'phantom-misused' }]);
  });
});

describe('a hello', () => {
  // Attack: domain fronting.
  test('with another name is refused, and the server gets no byte', async () => {
    const { port, secured } = await tlsServer(identity(upstreamAuthority, 'evil.example'));
    const box = watching(port);
    const { secure, ended } = await visit(box, port, { servername: 'evil.example', alpn: ['http/1.1'] });
    expect(await ask({ secure, ended }, host)).toMatch(/^HTTP\/1\.1 421 /u);
    await ended;
    expect([box.refusals[0]?.code, box.connections[0]?.refusal?.code, secured]).toEqual([
      'authority-mismatch',
      'authority-mismatch',
      [],
    ]);
  });

  test('to an address may have any name, and is not intercepted', async () => {
    const { port } = await tlsServer(identity(upstreamAuthority, 'named.example'));
    const box = watching(port);
    const { client } = await sent({ host: '127.0.0.1', port }, through(box));
    const secure = connectTls({
      socket: client,
      servername: 'named.example',
      ca: upstreamAuthority.certificatePem,
      ALPNProtocols: ['http/1.1'],
    });
    expect(String((await once(secure, 'data'))[0])).toBe('hello');
    secure.destroy();
  });

  test('to loopback by its name is ended with that name, and the server proves it', async () => {
    const { port } = await web('h1', 'localhost');
    const box = watching(port);
    const { client } = await sent({ host: '127.0.0.1', port }, through(box));
    const secure = connectTls({
      socket: client,
      servername: 'localhost',
      ca: box.session.certificatePem,
      ALPNProtocols: ['http/1.1'],
    });
    const said = heard(secure as unknown as Socket);
    secure.write(`GET /l HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
    expect(await said).toMatch(/^HTTP\/1\.1 200 /u);
    secure.destroy();
  });

  test('that is malformed is refused', async () => {
    const box = watching(443, { dial: dialsTo((await serve()).port).dial });
    const { client, ended } = await sent({ host, port: 443 }, through(box));
    const said = heard(client);
    client.write(Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0]));
    expect(await said).toBe('reset');
    await ended;
    expect(box.refusals).toMatchObject([{ code: 'malformed-request' }]);
  });
});

describe('a connection', () => {
  test('without a grant is refused as usual, and dials nothing', async () => {
    const box = bench('', { authority: { tlsTreatment: () => 'watch' } });
    const { client, ended } = await sent({ host, port: 80 }, through(box));
    const said = heard(client);
    client.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(await said).toMatch(/^HTTP\/1\.1 403 /u);
    await ended;
    expect([box.dialled, box.lookups, box.refusals[0]?.code]).toEqual([[], [], 'policy']);
  });

  test('that gets no answer is refused, by a proxy in its own form', async () => {
    const port = await closedPort();
    const said: EgressRefusal[] = [];
    const { ended } = await sent({ host, port }, through(watching(port)), {
      refuse: (refusal) => void said.push(refusal),
      reached: () => expect.unreachable(),
    });
    await ended;
    expect(said).toMatchObject([{ code: 'unreachable' }]);
  });

  test('is reported as reached before its client has to speak', async () => {
    const { port } = await serve((socket) => void socket.pipe(socket));
    const reached = Promise.withResolvers<void>();
    const { client } = await sent({ host, port }, through(watching(port)), { reached: reached.resolve });
    await reached.promise;
    client.write('\0hello');
    expect(String((await once(client, 'data'))[0])).toBe('\0hello');
  });

  test.each(['end', 'destroy'] as const)(
    'closes the other side if its client leaves without a byte (%s)',
    async (how) => {
      const { port, accepted } = await serve((socket) => void socket.resume().once('end', () => socket.end()));
      const box = watching(port);
      const { client, ended } = await sent({ host, port }, through(box));
      await expect.poll(() => accepted.length).toBe(1);
      client.resume()[how]();
      await ended;
      expect(box.connections).toMatchObject([{ address: '127.0.0.1', bytesSent: 0 }]);
      await expect.poll(() => accepted[0]?.destroyed).toBe(true);
    },
  );

  test('that a rule redirects says so to interceptors', async () => {
    const { port } = await serve((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')),
    );
    const seen: unknown[] = [];
    const policy = `[network]\nhosts = ["127.0.0.1:${port}", "b.example:${port}", "${host}:${port}"]\n[[connect]]\nname = "r"\ndecision = "redirect"\nredirect_to = "b.example:${port}"\nhosts = ["${host}"]`;
    const box = bench(policy, {
      authority: { tlsTreatment: () => 'watch' },
      interceptors: [(send, { redirected }) => (seen.push(redirected), send)],
    });
    const { client, ended } = await sent({ host, port }, through(box));
    const said = heard(client);
    client.write(`GET / HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`);
    await said;
    await ended;
    expect(seen).toEqual([{ host: 'b.example', port }]);
  });
});
