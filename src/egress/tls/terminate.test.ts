import { once } from 'node:events';
import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byteSource } from '../http/byte-source.ts';
import type { Alpn } from '../http/message.ts';
import type { Refused } from '../types.ts';
import { createAuthority } from './authority.ts';
import { leafContexts } from './leaf.ts';
import { terminateTls, type Terminated, type TerminateOptions } from './terminate.ts';
import { helloMessage, inRecords, serverName } from './testing/hellos.ts';
import { connectedPair } from './testing/loopback.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const authority = createAuthority();
const contextFor = leafContexts(authority);
const both: readonly Alpn[] = ['h2', 'http/1.1'];

function options(host: string, extra: Partial<TerminateOptions> = {}): TerminateOptions {
  return { host, alpn: both, contextFor, ...extra };
}

/** A client that trusts the authority and asks for `servername`, over one end of a pair. */
function client(socket: Socket, extra: ConnectionOptions = {}): TLSSocket {
  const secure = connect({
    socket,
    ca: [authority.certificatePem],
    host: 'api.example.com',
    servername: 'api.example.com',
    ...extra,
  });
  secure.on('error', () => undefined);
  return secure;
}

async function secured(outcome: Promise<Terminated | Refused>): Promise<Terminated> {
  const result = await outcome;
  if (result.kind !== 'secured') throw new Error(result.refusal.message);
  return result;
}

async function refusal(outcome: Promise<Terminated | Refused>) {
  const result = await outcome;
  if (result.kind !== 'refused') throw new Error('it was secured');
  const { message, remedy } = result.refusal;
  // oxlint-disable-next-line no-control-regex -- what must not be there
  expect(`${message}${remedy}`).toMatch(/^[^\u0000-\u001f\u007f]+$/u);
  return result.refusal;
}

/** A TLS client whose bytes go to `socket` and come back only when `back` says so. */
function clientBehind(socket: Socket, back: (chunk: Buffer) => Buffer | undefined): TLSSocket {
  const [inner, outer] = duplexPair();
  outer.on('data', (chunk: Buffer) => socket.write(chunk));
  socket.on('data', (chunk: Buffer) => {
    const passed = back(chunk);
    if (passed !== undefined) outer.write(passed);
  });
  return client(inner as Socket);
}

function closed(socket: Socket): Promise<unknown> {
  return socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));
}

/** Everything the peer sends until it closes. */
async function received(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await closed(socket);
  return Buffer.concat(chunks);
}

describe('a client that asks for the judged host', () => {
  test('is served in both directions', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    const secure = client(pair.client);
    const terminated = await secured(outcome);
    expect(terminated.serverName).toBe('api.example.com');
    terminated.socket.on('data', (chunk: Buffer) => terminated.socket.write(`you said ${chunk.toString()}`));
    secure.write('hello');
    const [answer] = await once(secure, 'data');
    expect(String(answer)).toBe('you said hello');
    expect(secure.authorized).toBe(true);
  });

  test.each([
    [['h2', 'http/1.1'], both, 'h2'],
    [['http/1.1'], both, 'http/1.1'],
    [['http/1.1', 'h2'], both, 'h2'],
    [['h2', 'http/1.1'], ['http/1.1'], 'http/1.1'],
    [[], both, 'http/1.1'],
    [['h2'], [], 'http/1.1'],
  ] as const)('offering %j to a server with %j gets %s', async (offered, spoken, chosen) => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com', { alpn: spoken }));
    client(pair.client, offered.length === 0 ? {} : { ALPNProtocols: [...offered] });
    expect((await secured(outcome)).alpn).toBe(chosen);
  });

  test('may use TLS 1.2', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    client(pair.client, { maxVersion: 'TLSv1.2' });
    expect((await secured(outcome)).socket.getProtocol()).toBe('TLSv1.2');
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('resumes its session with %s', async (version) => {
    let session: Buffer | undefined;
    const reused: boolean[] = [];
    for (let round = 0; round < 2; round += 1) {
      const pair = await connectedPair();
      const outcome = terminateTls(pair.server, options('resume.example.com'));
      const secure = client(pair.client, {
        servername: 'resume.example.com',
        minVersion: version,
        maxVersion: version,
        ...(session !== undefined && { session }),
      });
      const ticket = session === undefined ? once(secure, 'session') : undefined;
      (await secured(outcome)).socket.write('x');
      await once(secure, 'data');
      reused.push(secure.isSessionReused());
      if (ticket !== undefined) [session] = await ticket;
      secure.destroy();
    }
    expect(reused).toEqual([false, true]);
  });

  test('may have sent bytes that were already read', async () => {
    const pair = await connectedPair();
    const secure = client(pair.client);
    const [first] = (await once(pair.server, 'data')) as [Buffer];
    pair.server.pause();
    pair.server.unshift(first);
    const terminated = await secured(terminateTls(pair.server, options('api.example.com')));
    terminated.socket.end('done');
    expect(String((await once(secure, 'data'))[0])).toBe('done');
  });

  test('may have spoken in the clear, if all of that was read', async () => {
    const pair = await connectedPair();
    const source = byteSource(pair.server);
    pair.client.write('TLS?');
    expect(String(await source.read())).toBe('TLS?');
    pair.server.write('S');
    expect(String((await once(pair.client, 'data'))[0])).toBe('S');
    pair.client.pause();
    source.detach();
    const secure = client(pair.client, { servername: '' });
    const terminated = await secured(
      terminateTls(pair.server, options('api.example.com', { alpn: [], unnamed: 'always' })),
    );
    terminated.socket.end('inside');
    expect(String((await once(secure, 'data'))[0])).toBe('inside');
  });

  // Attack: bytes in the clear before the hello, taken for what the client says inside TLS (CVE-2021-23214).
  test('has no unread bytes in the clear before its hello', async () => {
    const pair = await connectedPair();
    const source = byteSource(pair.server);
    pair.client.write('TLS?injected');
    source.unread((await source.read())?.subarray(4) ?? Buffer.alloc(0));
    source.detach();
    expect((await refusal(terminateTls(pair.server, options('api.example.com')))).message).toContain(
      'does not speak TLS',
    );
  });

  test('may name loopback if its connection went to the address', async () => {
    for (const address of ['127.0.0.1', '::1']) {
      const pair = await connectedPair();
      const outcome = terminateTls(pair.server, options(address));
      const secure = client(pair.client, { host: 'localhost', servername: 'localhost' });
      (await secured(outcome)).socket.end('x');
      await once(secure, 'data');
      expect([secure.authorized, secure.getPeerCertificate().subjectaltname]).toEqual([true, 'DNS:localhost']);
    }
  });

  test('may send its hello byte by byte', async () => {
    const pair = await connectedPair();
    const [inner, outer] = duplexPair();
    const secure = connect({
      socket: inner as Socket,
      ca: [authority.certificatePem],
      host: 'api.example.com',
      servername: 'api.example.com',
    });
    secure.on('error', () => undefined);
    outer.on('data', (chunk: Buffer) => {
      for (const byte of chunk) pair.client.write(Uint8Array.of(byte));
    });
    pair.client.on('data', (chunk: Buffer) => outer.write(chunk));
    const terminated = await secured(terminateTls(pair.server, options('api.example.com')));
    terminated.socket.write('slow but whole');
    expect(String((await once(secure, 'data'))[0])).toBe('slow but whole');
  });

  test('may come over any Duplex', async () => {
    const [inner, outer] = duplexPair();
    const outcome = terminateTls(inner, options('api.example.com'));
    const secure = connect({
      socket: outer as Socket,
      ca: [authority.certificatePem],
      host: 'api.example.com',
      servername: 'api.example.com',
    });
    const terminated = await secured(outcome);
    terminated.socket.write('over a duplex');
    expect(String((await once(secure, 'data'))[0])).toBe('over a duplex');
  });

  test('sends and gets 8 MiB intact', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    const secure = client(pair.client);
    const terminated = await secured(outcome);
    const body = Buffer.alloc(8 * 1024 * 1024, 'holdfast');
    terminated.socket.pipe(terminated.socket);
    secure.end(body);
    const chunks: Buffer[] = [];
    for await (const chunk of secure) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).equals(body)).toBe(true);
  });
});

describe('a client that asks for an address', () => {
  test.each(['192.0.2.7', '2001:db8::7'])('%s needs no server name', async (address) => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options(address));
    const secure = connect({ socket: pair.client, ca: [authority.certificatePem], host: address });
    const terminated = await secured(outcome);
    expect(terminated).not.toHaveProperty('serverName');
    if (!secure.authorized) await once(secure, 'secureConnect');
    expect(secure.getPeerCertificate().subjectaltname).toMatch(/^IP Address:/u);
  });

  test('and names a host is refused', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('192.0.2.7'));
    client(pair.client);
    expect((await refusal(outcome)).code).toBe('authority-mismatch');
  });
});

describe('a client that asks for another host', () => {
  test.each([
    ['another host', 'evil.example', 'names evil.example'],
    ['a host above', 'example.com', 'names example.com'],
    ['a host below', 'a.api.example.com', 'names a.api.example.com'],
  ])('%s is refused', async (_, name, words) => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    const secure = client(pair.client, { servername: name });
    const [error] = (await once(secure, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ERR_SSL_TLSV1_UNRECOGNIZED_NAME');
    const refused = await refusal(outcome);
    expect(refused.code).toBe('authority-mismatch');
    expect(refused.message).toContain(words);
  });

  test('case and a trailing dot do not matter', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    client(pair.client, { servername: 'API.example.COM' });
    expect((await secured(outcome)).serverName).toBe('api.example.com');
  });

  test('a missing name is refused if the destination has one', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    const bytes = received(pair.client);
    pair.client.write(inRecords(helloMessage({ extensions: [] })));
    expect(await refusal(outcome)).toMatchObject({
      code: 'authority-mismatch',
      message: 'the TLS hello on a connection to api.example.com names no host',
    });
    expect([...(await bytes)]).toEqual([21, 3, 3, 0, 2, 2, 109]);
  });

  test.each(['localhost', 'db', 'a_b.example.com', '192.0.2.1', '::1'])(
    'a missing name is accepted for %s, which some clients never name',
    async (host) => {
      const pair = await connectedPair();
      const outcome = terminateTls(pair.server, options(host));
      connect({
        socket: pair.client,
        ca: [authority.certificatePem],
        servername: '',
        checkServerIdentity: () => undefined,
      }).on('error', () => undefined);
      expect(await secured(outcome)).not.toHaveProperty('serverName');
    },
  );

  test('a missing name is accepted if the protocol is older than names', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('db.example.com', { unnamed: 'always' }));
    connect({
      socket: pair.client,
      ca: [authority.certificatePem],
      servername: '',
      checkServerIdentity: () => undefined,
    }).on('error', () => undefined);
    expect(await secured(outcome)).not.toHaveProperty('serverName');
  });

  test('another host is refused there as well', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('db', { unnamed: 'always' }));
    client(pair.client, { servername: 'evil.example' });
    expect((await refusal(outcome)).code).toBe('authority-mismatch');
  });

  test('the refusal of a cover name mentions the encrypted hello', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    pair.client.write(
      inRecords(helloMessage({ extensions: [serverName('cover.example'), { number: 0xfe_0d, data: [0] }] })),
    );
    expect((await refusal(outcome)).message).toContain('encrypted hello');
  });
});

describe('a client that violates TLS', () => {
  test.each([
    {
      what: 'speaks HTTP',
      bytes: Buffer.from('GET / HTTP/1.1\r\nHost: api.example.com\r\n\r\n'),
      words: 'does not speak TLS',
      alert: '',
    },
    { what: 'speaks SSH', bytes: Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'), words: 'does not speak TLS', alert: '' },
    {
      what: 'sends a malformed hello',
      bytes: inRecords(helloMessage({ ciphers: [] })),
      words: 'list of cipher suites',
      alert: '15030300020232',
    },
    {
      what: 'sends an endless hello',
      bytes: Buffer.from([22, 3, 1, 0x40, 0, 1, 0xff, 0xff, 0xff]),
      words: 'too long',
      alert: '15030300020232',
    },
  ])('and $what is refused', async ({ bytes, words, alert }) => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    const answer = received(pair.client);
    pair.client.write(bytes);
    const refused = await refusal(outcome);
    expect(refused.code).toBe('client-tls');
    expect(refused.message).toContain(words);
    expect((await answer).toString('hex')).toBe(alert);
    expect(pair.server.destroyed).toBe(true);
  });

  test('a hello that only this parser accepts is refused by the handshake', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('example.com'));
    pair.client.write(inRecords(helloMessage()));
    const refused = await refusal(outcome);
    expect(refused.code).toBe('client-tls');
    expect(refused.message).toMatch(/^the client (?:and Holdfast do not agree|broke off)/u);
  });

  test('TLS 1.1 is refused', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    client(pair.client, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
    expect((await refusal(outcome)).message).toContain('TLS 1.1 or older');
    expect(pair.server.destroyed).toBe(true);
  });

  test('no protocol in common is refused', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    client(pair.client, { ALPNProtocols: ['acme-tls/1'] });
    expect((await refusal(outcome)).message).toContain('neither HTTP/1.1 nor HTTP/2');
  });

  test('a client that does not trust the authority gets the remedy', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    const secure = connect({
      socket: pair.client,
      servername: 'api.example.com',
      ca: [createAuthority().certificatePem],
    });
    const [error] = (await once(secure, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    // Node's client closes without an alert; those that send one are in clients.test.ts.
    expect((await refusal(outcome)).remedy).toContain('list api.example.com under passthrough of [network]');
  });
});

describe('a slow client', () => {
  test('that takes no alert either is dropped after a second', async () => {
    const [inner] = duplexPair();
    inner.unshift(Buffer.from(inRecords(helloMessage({ ciphers: [] }))));
    // A pipe whose other end never reads: the alert cannot be flushed.
    inner._write = (): void => undefined;
    expect((await refusal(terminateTls(inner, options('example.com')))).message).toContain('malformed');
    expect(inner.destroyed).toBe(false);
    await new Promise((resolve) => inner.once('close', resolve));
  });

  test('that sends nothing is refused', async () => {
    const pair = await connectedPair();
    const refused = await refusal(terminateTls(pair.server, options('api.example.com', { deadline: 50 })));
    expect(refused).toMatchObject({
      code: 'client-tls',
      message: 'the client did not finish its TLS handshake with api.example.com in time',
    });
    expect(pair.server.destroyed).toBe(true);
  });

  test('that drips its hello gains no time', async () => {
    const pair = await connectedPair();
    const hello = inRecords(helloMessage());
    let at = 0;
    const drip = setInterval(() => pair.client.write(hello.subarray(at, (at += 1))), 5);
    const refused = await refusal(terminateTls(pair.server, options('example.com', { deadline: 100 })));
    clearInterval(drip);
    expect(refused.message).toContain('in time');
    // Not all of it has come: nobody has waited for that.
    expect(at).toBeLessThan(hello.length);
  });

  test('that stays silent after its refusal is dropped', async () => {
    const [inner, outer] = duplexPair();
    const secure = connect({ socket: inner as Socket, servername: 'api.example.com' });
    secure.on('error', () => undefined);
    const [hello] = (await once(outer, 'data')) as [Buffer];
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com', { deadline: 100 }));
    pair.client.write(hello);
    expect((await refusal(outcome)).message).toContain('in time');
    expect(pair.server.destroyed).toBe(true);
  });
});

describe('a connection that breaks', () => {
  test('before the hello', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    pair.client.end();
    expect((await refusal(outcome)).message).toContain('before its TLS hello was complete');
  });

  test('by a reset', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    pair.client.write(inRecords(helloMessage()).subarray(0, 20), () => pair.client.resetAndDestroy());
    expect((await refusal(outcome)).code).toBe('client-tls');
  });

  test('already broken', async () => {
    const pair = await connectedPair();
    pair.server.destroy();
    expect((await refusal(terminateTls(pair.server, options('api.example.com')))).message).toContain(
      'before its TLS hello',
    );
  });

  test('in the middle of the handshake', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    clientBehind(pair.client, () => {
      pair.client.resetAndDestroy();
      return undefined;
    });
    expect((await refusal(outcome)).message).toBe(
      'the client broke off the TLS handshake to api.example.com (ECONNRESET)',
    );
  });

  test('afterwards, by a reset, ends the secured socket and nothing else', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    client(pair.client);
    const terminated = await secured(outcome);
    pair.client.resetAndDestroy();
    await closed(terminated.socket);
    expect(terminated.socket.destroyed).toBe(true);
  });

  test('afterwards, by undecryptable bytes, ends the secured socket', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(pair.server, options('api.example.com'));
    clientBehind(pair.client, (chunk) => chunk);
    const terminated = await secured(outcome);
    terminated.socket.resume();
    pair.client.write(Buffer.from([23, 3, 3, 0, 32, ...Array<number>(32).fill(1)]));
    await closed(terminated.socket);
    expect(pair.server.destroyed).toBe(true);
  });

  test('a host without a possible certificate is a refusal, not a crash', async () => {
    const pair = await connectedPair();
    const outcome = terminateTls(
      pair.server,
      options('api.example.com', { contextFor: () => contextFor('*.example.com') }),
    );
    client(pair.client);
    expect((await refusal(outcome)).code).toBe('client-tls');
  });
});

test('any hostile bytes end in a refusal', async () => {
  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 80 }),
    fc.uint8Array({ maxLength: 60 }).map((body) => Buffer.from([22, 3, 1, 0, body.length, ...body])),
    fc.uint8Array({ maxLength: 60 }).map((body) => Buffer.concat([inRecords(helloMessage()), body])),
  );
  await fc.assert(
    fc.asyncProperty(hostile, async (bytes) => {
      const [inner, outer] = duplexPair();
      outer.on('error', () => undefined).resume();
      const outcome = terminateTls(inner, options('example.com'));
      outer.end(bytes);
      expect((await outcome).kind).toBe('refused');
    }),
    { numRuns: rounds(150) },
  );
});
