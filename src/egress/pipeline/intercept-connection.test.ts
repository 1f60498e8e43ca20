import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { createServer, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { assert, nat, property } from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { closedPort, serve } from '../dial/testing/loopback.ts';
import { createAuthority } from '../tls/authority.ts';
import { encryptedHello, helloMessage, inRecords, serverName } from '../tls/testing/hellos.ts';
import { identity, tlsServer } from '../tls/testing/servers.ts';
import type { ServedConnection } from './context.ts';
import { inspectHello, interceptRequests, mismatch } from './intercept-connection.ts';
import { serveConnection } from './serve-connection.ts';
import {
  authorityOfPolicy,
  type Bench,
  bench,
  type BenchOptions,
  heard,
  origin,
  pair,
  sent,
} from './testing/pipeline.ts';
import { upstreamAuthority, web } from './testing/web.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const host = 'a.example';
const policy = (port: number): string =>
  `[network]\nhosts = ["127.0.0.1:${port}"]\n[[http]]\nname = "get"\ndecision = "allow"\nhosts = ["${host}"]\nmethods = ["GET"]\n`;
const through =
  ({ context }: Bench) =>
  (served: ServedConnection) =>
    serveConnection(served, context);

function intercepting(port: number, more: BenchOptions = {}): Bench {
  return bench(policy(port), { roots: [upstreamAuthority.certificatePem], ...more });
}

interface Visit {
  readonly secure: TLSSocket;
  readonly ended: Promise<void>;
}

async function visit(
  box: Bench,
  port: number,
  { alpn = ['http/1.1'], servername = host }: { readonly alpn?: readonly string[]; readonly servername?: string } = {},
): Promise<Visit> {
  const { client, ended } = await sent({ host, port }, through(box));
  const secure = connectTls({ socket: client, servername, ca: box.session.certificatePem, ALPNProtocols: [...alpn] });
  onTestFinished(() => void secure.destroy());
  return { secure, ended };
}

async function ask(visited: Visit, port: number, method = 'GET'): Promise<string> {
  const said = heard(visited.secure as unknown as Socket);
  visited.secure.write(`${method} /path HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`);
  const answer = await said;
  visited.secure.destroy();
  await visited.ended;
  return answer;
}

describe('HTTP/1.1 inside TLS', () => {
  test('an allowed request reaches the server, although the connection alone is not granted', async () => {
    const { port, asked } = await web('h1');
    const box = intercepting(port);
    expect(await ask(await visit(box, port), port)).toMatch(/^HTTP\/1\.1 200 [^]*answer$/u);
    expect(asked).toEqual(['GET /path']);
    expect(box.requests).toMatchObject([
      { status: 200, request: { method: 'GET', scheme: 'https', host, port, path: '/path' }, verdict: { rule: 'get' } },
    ]);
    expect(box.connections).toMatchObject([{ bytesSent: expect.any(Number), bytesReceived: expect.any(Number) }]);
    expect(box.refusals).toEqual([]);
  });

  test('any other request is refused with the reason, and never sent', async () => {
    const { port, asked } = await web('h1');
    const box = intercepting(port);
    expect(await ask(await visit(box, port), port, 'DELETE')).toMatch(
      /^HTTP\/1\.1 403 [^]*DELETE https:\/\/a\.example/u,
    );
    expect([asked, box.lookups]).toEqual([[], []]);
    expect(box.refusals).toMatchObject([{ code: 'policy' }]);
    expect(box.requests).toMatchObject([{ status: 403, refusal: { code: 'policy' } }]);
  });

  test('the bytes of the connection are counted', async () => {
    const { port } = await web('h1');
    const box = intercepting(port);
    await ask(await visit(box, port), port);
    const [{ bytesSent = 0, bytesReceived = 0 } = {}] = box.connections;
    expect(bytesSent).toBeGreaterThan(300);
    expect(bytesReceived).toBeGreaterThan(500);
  });

  test.each([
    ['another authority', { cert: 'untrusted' }],
    ['another name', { cert: 'other' }],
  ])('a server with a certificate of %s gets no request', async (_, { cert }) => {
    const authority = cert === 'untrusted' ? createAuthority() : upstreamAuthority;
    const { port, secured } = await tlsServer(identity(authority, cert === 'other' ? 'other.example' : host));
    const box = intercepting(port);
    expect(await ask(await visit(box, port), port)).toMatch(/^HTTP\/1\.1 502 /u);
    expect(box.requests).toMatchObject([{ status: 502, refusal: { code: 'upstream-certificate' } }]);
    expect(secured.every((socket) => socket.bytesRead === 0)).toBe(true);
  });

  test('a missing server is a 502', async () => {
    const port = await closedPort();
    const box = intercepting(port);
    expect(await ask(await visit(box, port), port)).toMatch(/^HTTP\/1\.1 502 /u);
    expect(box.requests).toMatchObject([{ refusal: { code: 'unreachable' } }]);
  });

  test('a name with an internal address is a 403', async () => {
    const { port } = await web('h1');
    const box = intercepting(port, { names: { [host]: ['10.0.0.1'] } });
    expect(await ask(await visit(box, port), port)).toMatch(/^HTTP\/1\.1 403 /u);
    expect([box.requests[0]?.refusal?.code, box.dialled]).toEqual(['special-address', []]);
  });
});

describe('HTTP/2 inside TLS', () => {
  test('is offered if the server speaks it, and the probing connection is reused', async () => {
    const { port, asked, open } = await web('h2');
    const box = intercepting(port);
    const { secure, ended } = await visit(box, port, { alpn: ['h2', 'http/1.1'] });
    await once(secure, 'secureConnect');
    expect(secure.alpnProtocol).toBe('h2');
    const session = connectHttp2(`https://${host}:${port}`, { createConnection: () => secure });
    const stream = session.request({ ':path': '/two' });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect(headers[':status']).toBe(200);
    expect(String(Buffer.concat((await stream.toArray()) as Buffer[]))).toBe('answer');
    session.destroy();
    await ended;
    expect([asked, box.dialled]).toEqual([['GET /two'], ['127.0.0.1']]);
    await expect.poll(open).toBe(0);
  });

  test('is not offered if the server does not speak it', async () => {
    const { port, asked } = await web('h1');
    const box = intercepting(port);
    const visited = await visit(box, port, { alpn: ['h2', 'http/1.1'] });
    await once(visited.secure, 'secureConnect');
    expect(visited.secure.alpnProtocol).toBe('http/1.1');
    expect(await ask(visited, port)).toMatch(/^HTTP\/1\.1 200 /u);
    expect(asked).toEqual(['GET /path']);
    expect(box.dialled).toHaveLength(1);
  });

  test('is not probed for a client that does not offer it: nothing is dialled before a request is allowed', async () => {
    const { port } = await web('h2');
    const box = intercepting(port);
    const visited = await visit(box, port);
    await once(visited.secure, 'secureConnect');
    expect(box.dialled).toEqual([]);
    visited.secure.end();
    await visited.ended;
  });

  // What no request has used stayed for as long as the server liked, and the session waited for it.
  test.each(['refused', 'never asked'])(
    'the probing connection ends with a client whose request was %s',
    async (how) => {
      const { port, open } = await web('h1');
      const box = intercepting(port);
      const visited = await visit(box, port, { alpn: ['h2', 'http/1.1'] });
      await once(visited.secure, 'secureConnect');
      expect(open()).toBe(1);
      if (how === 'refused') expect(await ask(visited, port, 'POST')).toMatch(/^HTTP\/1\.1 403 /u);
      visited.secure.end();
      await visited.ended;
      await expect.poll(open).toBe(0);
    },
  );

  test('it also ends if the client rejects the certificate', async () => {
    const { port, open } = await web('h1');
    const box = intercepting(port);
    const { client, ended } = await sent({ host, port }, through(box));
    const secure = connectTls({ socket: client, servername: host, ALPNProtocols: ['h2'] });
    await once(secure, 'error');
    secure.destroy();
    await ended;
    expect(box.refusals).toMatchObject([{ code: 'client-tls' }]);
    expect(box.connections).toMatchObject([{ refusal: { code: 'client-tls' } }]);
    await expect.poll(open).toBe(0);
  });
});

describe('the first bytes of the client', () => {
  test('a name other than the dialled one is refused before a dial, and the refusal comes inside TLS', async () => {
    const { port } = await web('h1');
    const box = intercepting(port);
    const visited = await visit(box, port, { servername: 'evil.example', alpn: ['h2'] });
    const [error] = (await once(visited.secure, 'error').catch((problem: unknown) => [problem])) as [Error];
    expect(error).toBeInstanceOf(Error);
    visited.secure.destroy();
    await visited.ended;
    expect([box.dialled, box.refusals[0]?.code, box.connections[0]?.refusal?.code]).toEqual([
      [],
      'authority-mismatch',
      'authority-mismatch',
    ]);
  });

  test('plain requests are judged too', async () => {
    const { port } = await serve((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nplain')),
    );
    const box = intercepting(port);
    const { client, ended } = await sent({ host, port }, through(box));
    const said = heard(client);
    client.write(`GET / HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`);
    expect(await said).toMatch(/plain$/u);
    await ended;
    expect(box.requests).toMatchObject([{ request: { scheme: 'http' }, status: 200 }]);
  });

  test.each([
    ['another protocol', Buffer.from('SSH-2.0-OpenSSH\r\n')],
    ['a broken hello', Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0])],
  ])('%s is refused: rules about requests cannot judge it', async (_, first) => {
    const box = intercepting(443);
    const { client, ended } = await sent({ host, port: 443 }, through(box));
    const said = heard(client);
    client.write(first);
    expect(await said).toBe('reset');
    await ended;
    expect(box.connections).toMatchObject([
      {
        refusal: {
          code: 'malformed-request',
          message: 'the policy has rules about requests to a.example:443, and the client does not speak HTTP',
          remedy: expect.stringContaining('passthrough'),
        },
      },
    ]);
    expect(box.dialled).toEqual([]);
  });

  test('silence ends with the client, and is recorded', async () => {
    const box = intercepting(443);
    const { client, ended } = await sent({ host, port: 443 }, through(box));
    client.destroy();
    await ended;
    expect(box.connections).toMatchObject([{ destination: { host, port: 443 }, bytesSent: 0 }]);
    expect(box.connections[0]).not.toHaveProperty('refusal');
    expect([box.dialled, box.lookups]).toEqual([[], []]);
  });

  test('a proxy’s client may speak once the proxy says so', async () => {
    const box = intercepting(443);
    let reached = 0;
    const { client, ended } = await sent({ host, port: 443 }, through(box), { reached: () => (reached += 1) });
    client.destroy();
    await ended;
    expect(reached).toBe(1);
  });
});

describe('requests to a proxy by absolute URL', () => {
  test('are judged without a look for TLS', async () => {
    const { port } = await serve((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')),
    );
    const box = intercepting(port);
    const { client, accepted } = await pair();
    let reached = 0;
    const done = interceptRequests(
      { client: accepted, destination: { host, port }, origin, reached: () => (reached += 1) },
      box.context,
    );
    const said = heard(client);
    client.write(`GET /x HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`);
    expect(await said).toMatch(/ok$/u);
    expect(await done).toMatchObject({ bytes: { sent: expect.any(Number), received: expect.any(Number) } });
    expect([reached, box.requests.length]).toEqual([1, 1]);
  });
});

describe('a host that a rule redirects', () => {
  const redirect = (port: number, to: string): string =>
    `[network]\nhosts = ["127.0.0.1:${port}", "b.example:${port}"]\n[[connect]]\nname = "r"\ndecision = "redirect"\nredirect_to = "${to}:${port}"\nhosts = ["${host}"]\n[[http]]\nname = "get"\ndecision = "allow"\nhosts = ["${host}"]\nmethods = ["GET"]\n`;
  const intercept = { tlsTreatment: () => 'intercept' as const };

  test('interceptors learn the target, and the server still has to prove the requested name', async () => {
    const { port, asked } = await web('h1');
    const seen: unknown[] = [];
    const interceptors: BenchOptions['interceptors'] = [
      (send, { destination, redirected }) => (seen.push([destination, redirected]), send),
    ];
    const box = bench(redirect(port, 'b.example'), {
      roots: [upstreamAuthority.certificatePem],
      authority: intercept,
      interceptors,
    });
    expect(await ask(await visit(box, port), port)).toMatch(/^HTTP\/1\.1 200 /u);
    expect(seen).toEqual([
      [
        { host, port },
        { host: 'b.example', port },
      ],
    ]);
    expect([asked, box.lookups]).toEqual([['GET /path'], ['b.example']]);
  });

  test('interceptors learn of no target without a redirect', async () => {
    const { port } = await web('h1');
    const seen: object[] = [];
    const box = intercepting(port, { interceptors: [(send, connection) => (seen.push(connection), send)] });
    await ask(await visit(box, port), port);
    expect(seen).toHaveLength(1);
    expect(seen[0]).not.toHaveProperty('redirected');
  });

  // Attack: a connection that someone else answers, kept open and given to who has a secret for the host itself.
  test('a kept connection to one target is not used for another', async () => {
    const answered: string[] = [];
    const { port } = await serve((socket) =>
      socket.on('data', (head: Buffer) => {
        answered.push(String(head).split('\r\n')[0] ?? '');
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      }),
    );
    const box = bench(redirect(port, 'b.example'), { authority: intercept });
    for (let count = 0; count < 2; count += 1) {
      const { client, ended } = await sent({ host, port }, through(box));
      client.write(`GET / HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
      await once(client, 'data');
      client.destroy();
      await ended;
    }
    expect([answered, box.dialled.length]).toEqual([['GET / HTTP/1.1', 'GET / HTTP/1.1'], 2]);
  });

  // Attack: the policy changes between the answer to "is it redirected?" and the dialling.
  test('a client that was told of no redirect is not redirected later', async () => {
    const { port, asked } = await web('h1');
    const plain = authorityOfPolicy(policy(port));
    const redirecting = authorityOfPolicy(redirect(port, 'b.example'));
    let current = plain;
    const box = intercepting(port, {
      authority: { ...intercept, decide: (request) => current.decide(request) },
      interceptors: [(send) => (request) => ((current = redirecting), send(request))],
    });
    expect(await ask(await visit(box, port), port)).toMatch(
      /^HTTP\/1\.1 403 [^]*the policy changed after this connection began and now redirects a\.example:\d+ differently/u,
    );
    expect([asked, box.dialled]).toEqual([[], []]);
  });
});

function helloFor(name: string): Buffer {
  return Buffer.from(inRecords(helloMessage({ extensions: [serverName(name)] })));
}

/** What Node's own TLS client says first. */
async function realHello(servername: string | undefined): Promise<Buffer> {
  const heard = Promise.withResolvers<Buffer>();
  const server = createServer((socket) => void socket.on('error', () => undefined).once('data', heard.resolve)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const client = connectTls({
    port: (server.address() as { readonly port: number }).port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ...(servername === undefined ? {} : { servername }),
  }).on('error', () => undefined);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return await heard.promise;
}

describe('a connection to a name', () => {
  test('passes with that name in its hello', async () => {
    const inspection = inspectHello('example.com');
    expect(inspection.inspect(await realHello('example.com'))).toEqual({ kind: 'pass' });
    expect(inspection.refusal()).toBeUndefined();
  });

  test.each(['EXAMPLE.com', 'Example.Com'])('the case of letters does not matter: %s', (name) => {
    expect(inspectHello('example.com').inspect(helloFor(name))).toEqual({ kind: 'pass' });
  });

  // Attack: domain fronting, a host behind the same address that no rule allows.
  test.each(['evil.example', 'example.com.evil.example', 'xexample.com', 'sub.example.com', 'com'])(
    'is refused with the name %s',
    async (name) => {
      const inspection = inspectHello('example.com');
      expect(inspection.inspect(await realHello(name))).toEqual({
        kind: 'refuse',
        lastWords: Uint8Array.of(21, 3, 3, 0, 2, 2, 112),
      });
      expect(inspection.refusal()).toMatchObject({
        code: 'authority-mismatch',
        message: expect.stringContaining(name),
      });
    },
  );

  test('passes without a name: an old client, which checks the certificate itself', async () => {
    expect(inspectHello('example.com').inspect(await realHello(undefined))).toEqual({ kind: 'pass' });
  });

  // Attack: the name that counts is inside, where only the server reads it.
  test('with an encrypted hello the outer name counts', () => {
    const bytes = Buffer.from(inRecords(helloMessage({ extensions: [serverName('cover.example'), encryptedHello] })));
    expect(inspectHello('example.com').inspect(bytes)).toMatchObject({ kind: 'refuse' });
  });

  test('a hello with two names is malformed', () => {
    const bytes = Buffer.from(
      inRecords(helloMessage({ extensions: [serverName('example.com'), serverName('evil.example')] })),
    );
    const inspection = inspectHello('example.com');
    expect(inspection.inspect(bytes)).toMatchObject({ kind: 'refuse' });
    expect(inspection.refusal()).toMatchObject({
      code: 'malformed-request',
      message: expect.stringContaining('begins like TLS, but is not TLS'),
    });
  });

  test('is inspected again until the hello is complete', () => {
    const bytes = helloFor('evil.example');
    const inspection = inspectHello('example.com');
    for (let length = 1; length < bytes.length; length += 1)
      expect(inspection.inspect(bytes.subarray(0, length))).toEqual({ kind: 'more' });
    expect(inspection.refusal()).toBeUndefined();
    expect(inspection.inspect(bytes)).toMatchObject({ kind: 'refuse' });
  });

  test.each([[1], [5, 1], [10, 20, 30]])('a hello in records of %j is one hello', (...lengths) => {
    const bytes = Buffer.from(inRecords(helloMessage({ extensions: [serverName('evil.example')] }), lengths));
    expect(inspectHello('example.com').inspect(bytes)).toMatchObject({ kind: 'refuse' });
  });

  test.each(['GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n', 'SSH-2.0-x\r\n', '\0\0\0\x08\x04\xd2\x16\x2f'])(
    'other protocols pass: %j',
    (text) => {
      expect(inspectHello('example.com').inspect(Buffer.from(text, 'latin1'))).toEqual({ kind: 'pass' });
    },
  );
});

// Who speaks no TLS has nothing to inspect, and its server waits for what is held back.
test.each(['G', 'QUIT', 'EHLO'])('the first letters of another protocol are not held back: %j', (text) => {
  expect(inspectHello('example.com').inspect(Buffer.from(text))).toEqual({ kind: 'pass' });
});

describe('a connection to an address', () => {
  test.each(['93.184.216.34', '2606:2800:220:1::1'])('%s passes with any name', (host) => {
    expect(inspectHello(host).inspect(helloFor('anything.example'))).toEqual({ kind: 'pass' });
  });

  test('is refused if it begins like TLS and is not', () => {
    const bytes = helloFor('example.com');
    bytes[5] = 2;
    expect(inspectHello('93.184.216.34').inspect(bytes)).toMatchObject({ kind: 'refuse' });
  });
});

test('no bytes of a client pass with another name', () => {
  const bytes = helloFor('evil.example');
  assert(
    property(nat(bytes.length - 1), nat(255), (at, value) => {
      const changed = Buffer.from(bytes);
      changed[at] = value;
      const result = inspectHello('example.com').inspect(changed);
      const first = changed[0] === 22 && changed.includes('evil.example');
      // What a server would take for the hello of another host never passes.
      if (first && at > 60) expect(result.kind).not.toBe('pass');
    }),
    { numRuns: rounds(500) },
  );
});

test('the message of a mismatch names both hosts', () => {
  expect(mismatch('a.example', 'b.example')).toEqual({
    code: 'authority-mismatch',
    message: 'the connection goes to a.example, but asks for b.example over TLS',
    remedy: 'ask for the host that the connection goes to',
  });
});
