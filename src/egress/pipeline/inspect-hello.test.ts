import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { assert, nat, property } from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { encryptedHello, helloMessage, inRecords, serverName } from '../tls/testing/hellos.ts';
import { inspectHello, mismatch } from './inspect-hello.ts';

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

  test.each(['EXAMPLE.com', 'Example.Com'])('case is no difference: %s', (name) => {
    expect(inspectHello('example.com').inspect(helloFor(name))).toEqual({ kind: 'pass' });
  });

  // Attack: domain fronting, a host behind the same address that no rule allows.
  test.each(['evil.example', 'example.com.evil.example', 'xexample.com', 'sub.example.com', 'com'])(
    'is refused with %s in it',
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

  test('passes without a name: an old client, whose certificate check is its own', async () => {
    expect(inspectHello('example.com').inspect(await realHello(undefined))).toEqual({ kind: 'pass' });
  });

  // Attack: the name that counts is inside, where only the server reads it.
  test('with an encrypted hello the outer name counts', () => {
    const bytes = Buffer.from(inRecords(helloMessage({ extensions: [serverName('cover.example'), encryptedHello] })));
    expect(inspectHello('example.com').inspect(bytes)).toMatchObject({ kind: 'refuse' });
  });

  test('two names are malformed', () => {
    const bytes = Buffer.from(
      inRecords(helloMessage({ extensions: [serverName('example.com'), serverName('evil.example')] })),
    );
    const inspection = inspectHello('example.com');
    expect(inspection.inspect(bytes)).toMatchObject({ kind: 'refuse' });
    expect(inspection.refusal()).toMatchObject({
      code: 'malformed-request',
      message: expect.stringContaining('begins like TLS and is none'),
    });
  });

  test('is asked again while the hello is not whole', () => {
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

  test('is refused when what begins like TLS is none', () => {
    const bytes = helloFor('example.com');
    bytes[5] = 2;
    expect(inspectHello('93.184.216.34').inspect(bytes)).toMatchObject({ kind: 'refuse' });
  });
});

test('no bytes of a client make it pass with another name', () => {
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
    { numRuns: 500 },
  );
});

test('the words of a mismatch name both', () => {
  expect(mismatch('a.example', 'b.example')).toEqual({
    code: 'authority-mismatch',
    message: 'the connection goes to a.example, but asks for b.example over TLS',
    remedy: 'ask for the host that the connection goes to',
  });
});
