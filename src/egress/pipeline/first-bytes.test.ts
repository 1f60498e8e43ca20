import { PassThrough } from 'node:stream';
import { assert, nat, oneof, property, string, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { helloMessage, inRecords, serverName } from '../tls/testing/hellos.ts';
import { firstBytes, recognise, recogniseWhole } from './first-bytes.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const hello = Buffer.from(inRecords(helloMessage({ extensions: [serverName('example.com')] })));

describe('recognise', () => {
  test.each([
    'GET / HTTP/1.1',
    'POST /x',
    'OPTIONS * HTTP/1.1',
    'M-SEARCH * HTTP/1.1',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'UPDATEREDIRECTREF /',
  ])('%j is HTTP', (text) => {
    expect(recognise(Buffer.from(text))).toEqual({ kind: 'http' });
  });

  test.each(
    [
      'SSH-2.0-OpenSSH_9.2\r\n',
      '\0\0\0\x08\x04\xd2\x16\x2f',
      'get / HTTP/1.1',
      ' GET /',
      'EHLO',
      'A /',
      '*1\r\n$4\r\nPING\r\n',
      'G\0T /',
      '-GET / ',
      'GET\t/ HTTP/1.1',
      'ABCDEFGHIJKLMNOPQR S',
      '\x16',
      '',
    ].filter((text) => text.length > 4),
  )('%j is neither HTTP nor TLS', (text) => {
    const first = recognise(Buffer.from(text, 'latin1'));
    expect(first?.kind === 'other' || first === undefined).toBe(true);
    expect(recognise(Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(20, 0)]))).toEqual({ kind: 'other' });
  });

  test.each(['', 'G', 'GET', 'POST', 'UPDATEREDIRECTREF', 'M-SEARC'])('%j may still become a request', (text) => {
    expect(recognise(Buffer.from(text))).toBeUndefined();
  });

  test('a hello with its name and its protocols', () => {
    expect(recognise(hello)).toMatchObject({ kind: 'tls', hello: { serverName: 'example.com' } });
  });

  test('every part of a hello may still become one', () => {
    for (let length = 1; length < hello.length; length += 1)
      expect(recognise(hello.subarray(0, length))).toBeUndefined();
  });

  test('ignores the bytes after a hello', () => {
    expect(recognise(Buffer.concat([hello, Buffer.from('GET / HTTP/1.1')]))).toMatchObject({ kind: 'tls' });
  });

  test('a handshake that is not a hello is malformed', () => {
    const other = Buffer.from(hello);
    other[5] = 2;
    expect(recognise(other)).toMatchObject({ kind: 'malformed' });
  });

  // Attack: a hello that never ends would be collected for ever.
  test('half a hello of 17 KiB is enough', () => {
    const endless = Buffer.concat(
      Array.from({ length: 40 }, () => Buffer.concat([Buffer.from([22, 3, 1, 2, 0]), Buffer.alloc(512)])),
    );
    endless.set([1, 0, 0x4e, 0x20], 5);
    const first = recognise(endless.subarray(0, 18 * 1024));
    expect(first).toMatchObject({ kind: 'malformed' });
  });

  test('reads only the given part of a buffer', () => {
    const whole = Buffer.from('xxGET / HTTP/1.1');
    expect(recognise(new Uint8Array(whole.buffer, whole.byteOffset + 2, 14))).toEqual({ kind: 'http' });
    expect(recognise(new Uint8Array(whole.buffer, whole.byteOffset + 2, 2))).toBeUndefined();
  });

  test('any bytes get an answer or none, never an error, and more bytes do not change an answer', () => {
    const starts = oneof(
      uint8Array({ maxLength: 600 }),
      uint8Array({ maxLength: 200 }).map((tail) => Buffer.concat([hello.subarray(0, tail.length), tail])),
      string({ maxLength: 40 }).map((text) => Buffer.from(`GET ${text}`)),
    );
    assert(
      property(starts, uint8Array({ maxLength: 64 }), (start, more) => {
        const first = recognise(start);
        if (first === undefined || first.kind === 'malformed') return;
        expect(recognise(Buffer.concat([start, more]))?.kind).toBe(first.kind);
      }),
      { numRuns: rounds(400) },
    );
  });

  test('any changed byte of a hello is handled', () => {
    assert(
      property(nat(hello.length - 1), nat(255), (at, value) => {
        const changed = Buffer.from(hello);
        changed[at] = value;
        expect(['tls', 'malformed', 'other', 'http', undefined]).toContain(recognise(changed)?.kind);
      }),
      { numRuns: rounds(600) },
    );
  });
});

describe('recogniseWhole', () => {
  test.each([
    'GET / HTTP/1.1\r\n',
    'GET / HTTP/1.0\n',
    'M-SEARCH * HTTP/1.1\r\nHost: x',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET /with a blank HTTP/1.1\r\n',
    // nginx, Apache, Go or Node serve each of these.
    '\r\nGET / HTTP/1.1\r\n',
    '\r\n\r\n\r\nGET / HTTP/1.1\r\n',
    '\nGET / HTTP/1.1\r\n',
    '\rGET / HTTP/1.1\r\n',
    'get / HTTP/1.1\r\n',
    'GET / HTTP/1.1 \r\n',
    'GET / HTTP/1.10\r\n',
    'M_SEARCH / HTTP/1.1\r\n',
    'FOO1 / HTTP/1.1\r\n',
    'X / HTTP/1.1\r\n',
    '-GET / HTTP/1.1\n',
    `${'A'.repeat(30)} / HTTP/1.1\r\n`,
  ])('%j is HTTP', (text) => {
    expect(recogniseWhole(Buffer.from(text))).toEqual({ kind: 'http' });
  });

  test.each([
    'NICK me\r\n',
    'USER a b c\r\n',
    'GET key\r\n',
    'SET key value\r\n',
    'OPTIONS rtsp://x/ RTSP/1.0\r\n',
    'INVITE sip:a@b SIP/2.0\r\n',
    'GET / HTTP/1.1 and more\r\n',
    'EHLO x\r\n',
    'SSH-2.0-OpenSSH_9.2\r\n',
    '*1\r\n$4\r\nPING\r\n',
    '{"jsonrpc":"2.0"}',
    '\r\n\0',
    'example.com\r\n',
    '\0\0',
  ])('%j is not', (text) => {
    expect(recogniseWhole(Buffer.from(text))).toEqual({ kind: 'other' });
  });

  test.each(['', 'GET', 'GET /', 'GET / HTTP/1.1', 'NICK me', '\r\n', '\r\nget'])(
    '%j may still become a request',
    (text) => {
      expect(recogniseWhole(Buffer.from(text))).toBeUndefined();
    },
  );

  // Attack: a first line that never ends would be collected for ever. Who serves requests refuses it.
  test('an endless request line counts as a request', () => {
    expect(recogniseWhole(Buffer.from(`GET /${'x'.repeat(17 * 1024)}`))).toEqual({ kind: 'http' });
  });

  test('hellos stay hellos', () => {
    expect(recogniseWhole(hello)).toMatchObject({ kind: 'tls' });
    expect(recogniseWhole(hello.subarray(0, 30))).toBeUndefined();
  });
});

describe('firstBytes', () => {
  test('waits for missing bytes, and puts every byte back', async () => {
    const socket = new PassThrough();
    const first = firstBytes(socket, { until: 1000 });
    for (const part of ['GE', 'T', ' / HT', 'TP/1.1\r\n']) socket.write(part);
    expect(await first).toEqual({ kind: 'http' });
    socket.end('\r\n');
    expect(String(Buffer.concat((await socket.toArray()) as Buffer[]))).toBe('GET / HTTP/1.1\r\n\r\n');
  });

  test('a hello in single bytes comes out whole', async () => {
    const socket = new PassThrough();
    const first = firstBytes(socket, { until: 1000 });
    for (const byte of hello) socket.write(Buffer.of(byte));
    expect(await first).toMatchObject({ kind: 'tls', hello: { serverName: 'example.com' } });
    socket.end();
    expect(Buffer.concat((await socket.toArray()) as Buffer[])).toEqual(hello);
  });

  test('a silent client is reported after the given time', async () => {
    const started = performance.now();
    expect(await firstBytes(new PassThrough(), { until: 60 })).toEqual({ kind: 'silent' });
    expect(performance.now() - started).toBeGreaterThan(50);
  });

  test('an incomplete start counts as silence, and is put back too', async () => {
    const socket = new PassThrough();
    socket.write(hello.subarray(0, 20));
    expect(await firstBytes(socket, { until: 30 })).toEqual({ kind: 'silent' });
    expect(socket.read()).toEqual(hello.subarray(0, 20));
  });

  test.each(['ended', 'destroyed'])('a client that has %s is silent at once', async (how) => {
    const socket = new PassThrough();
    const first = firstBytes(socket, { until: 5000 });
    if (how === 'ended') socket.end();
    else socket.destroy();
    expect(await first).toEqual({ kind: 'silent' });
    expect(await firstBytes(socket, { until: 5000 })).toEqual({ kind: 'silent' });
  });

  test('waits for a given signal, even for one that came before', async () => {
    const socket = new PassThrough();
    const over = new AbortController();
    const first = firstBytes(socket, { until: over.signal });
    socket.write('GE');
    setTimeout(() => over.abort(), 30);
    expect(await first).toEqual({ kind: 'silent' });
    expect(String(socket.read())).toBe('GE');
    expect(await firstBytes(new PassThrough(), { until: AbortSignal.abort() })).toEqual({ kind: 'silent' });
  });

  test('keeps incomplete bytes if the client ends: they cannot be put back', async () => {
    const socket = new PassThrough();
    const first = firstBytes(socket, { until: 5000 });
    socket.end('HELLO');
    expect(await first).toEqual({ kind: 'silent', said: Buffer.from('HELLO') });
  });

  test('leaves no listener and no timer behind', async () => {
    const socket = new PassThrough();
    socket.write('GET / ');
    const before = socket.eventNames().length;
    await firstBytes(socket, { until: 1000 });
    expect([
      socket.listenerCount('readable'),
      socket.listenerCount('end') <= 1,
      socket.eventNames().length <= before,
    ]).toEqual([0, true, true]);
  });
});
