import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { field } from '../../http/message.ts';
import { parseRequestHead, type RequestHead } from '../../http/h1/field-lines.ts';
import { newProxySecret, proxyGuard } from '../refusals.ts';
import { byteByByte } from '../testing/split.ts';
import {
  inOriginForm,
  isAuthorised,
  longestProxyHead,
  parseAbsoluteForm,
  parseAuthorityForm,
  parseHead,
} from './serve.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const secret = newProxySecret();
const guard = proxyGuard(secret);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const sent = (...values: readonly string[]): boolean =>
  isAuthorised(
    values.map((value) => field('Proxy-Authorization', value)),
    guard,
  );

describe('a client is admitted', () => {
  test.each(['Basic', 'basic', 'BASIC', 'Basic  '])('with %j and the secret', (scheme) => {
    expect(sent(`${scheme} ${base64(`holdfast:${secret}`)}`)).toBe(true);
  });

  test('also with the URL-safe alphabet and without padding', () => {
    expect(sent(`Basic ${Buffer.from(`holdfast:${secret}`).toString('base64url')}`)).toBe(true);
  });
});

describe('a client is not admitted', () => {
  test.each([
    ['with nothing', []],
    ['with another scheme', [`Bearer ${secret}`]],
    ['with the bare secret', [`Basic ${secret}`]],
    ['with the secret in the clear', [`Basic holdfast:${secret}`]],
    ['with another user', [`Basic ${base64(`root:${secret}`)}`]],
    ['without a user', [`Basic ${base64(`:${secret}`)}`]],
    ['without a colon', [`Basic ${base64(`holdfast${secret}`)}`]],
    ['with a longer secret', [`Basic ${base64(`holdfast:${secret}x`)}`]],
    ['with a shorter secret', [`Basic ${base64(`holdfast:${secret.slice(0, -1)}`)}`]],
    ['with an empty secret', [`Basic ${base64('holdfast:')}`]],
    ['with a NUL after it', [`Basic ${base64(`holdfast:${secret}\0`)}`]],
    ['with it twice', [`Basic ${base64(`holdfast:${secret}`)}`, `Basic ${base64(`holdfast:${secret}`)}`]],
    ['with one right and one wrong', [`Basic ${base64(`holdfast:${secret}`)}`, 'Basic eA==']],
    ['with a list', [`Basic ${base64(`holdfast:${secret}`)}, Basic eA==`]],
    ['with far too much', [`Basic ${'A'.repeat(5000)}`]],
  ])('%s', (_, values) => {
    expect(sent(...values)).toBe(false);
  });

  test('by another field', () => {
    expect(isAuthorised([field('Authorization', `Basic ${base64(`holdfast:${secret}`)}`)], guard)).toBe(false);
  });
});

describe('a head', () => {
  test('ends with an empty line, and later bytes are kept apart', () => {
    expect(parseHead(Buffer.from('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n\x16\x03'))).toEqual({
      kind: 'parsed',
      value: 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443',
      length: 49,
    });
    expect(parseHead(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toEqual({
      kind: 'parsed',
      value: 'GET / HTTP/1.1',
      length: 18,
    });
  });

  test.each([
    'G',
    'GET / HTTP/1.1',
    'GET / HTTP/1.1\r',
    'GET / HTTP/1.1\r\n',
    'GET / HTTP/1.1\r\n\r',
    'GET / HTTP/1.1\r\nA: b\r\n',
  ])('%j is incomplete', (text) => {
    expect(parseHead(Buffer.from(text))).toEqual({ kind: 'incomplete' });
  });

  test.each(['GET / HTTP/1.1\n', '\n', 'GET / HTTP/1.1\n\n', 'GET / HTTP/1.1\r\nA: b\nC: d'])(
    '%j is refused for its bare LF at once',
    (text) => {
      expect(parseHead(Buffer.from(text))).toMatchObject({
        kind: 'malformed',
        reason: expect.stringContaining('bare LF'),
      });
    },
  );

  test('may have 16 KiB and not one octet more', () => {
    const head = (size: number): Buffer => Buffer.from(`${'a'.repeat(size)}\r\n\r\n`);
    expect(parseHead(head(longestProxyHead))).toMatchObject({ kind: 'parsed', length: longestProxyHead + 4 });
    expect(parseHead(head(longestProxyHead + 1))).toMatchObject({
      kind: 'malformed',
      reason: expect.stringContaining('16384'),
    });
    expect(parseHead(Buffer.alloc(longestProxyHead, 0x61)).kind).toBe('incomplete');
    expect(parseHead(Buffer.alloc(longestProxyHead + 1, 0x61)).kind).toBe('malformed');
  });

  test('keeps every octet', () => {
    expect(parseHead(Buffer.from([0x61, 0xff, 0x80, 0x0d, 0x0a, 0x0d, 0x0a]))).toMatchObject({
      value: 'a\u00ff\u0080',
    });
  });
});

describe('hostile bytes', () => {
  const unit = fc.constantFrom(0x0d, 0x0a, 0x0d, 0x0a, 0x61, 0x00, 0xff, 0x20);
  const input = fc.array(unit, { maxLength: 60 }).map((each) => Buffer.from(each));

  test('never make a head with an empty line or past its end', () => {
    fc.assert(
      fc.property(input, (bytes) => {
        const parsed = parseHead(bytes);
        if (parsed.kind !== 'parsed') return;
        expect(parsed.value).not.toContain('\r\n\r\n');
        expect(parsed.length).toBe(parsed.value.length + 4);
        expect(bytes.toString('latin1').startsWith(`${parsed.value}\r\n\r\n`)).toBe(true);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('give the same head in pieces and at once', () => {
    fc.assert(
      fc.property(input, (bytes) => {
        const { parsed } = byteByByte(parseHead, bytes);
        if (parsed.kind === 'parsed') expect(parseHead(bytes)).toEqual(parsed);
      }),
      { numRuns: rounds(1000) },
    );
  });
});

describe('the URL of a request line', () => {
  test.each([
    ['http://example.com/', 'example.com', 80, '/'],
    ['http://example.com', 'example.com', 80, '/'],
    ['HTTP://EXAMPLE.com:8080/a/b?c=d&e', 'example.com', 8080, '/a/b?c=d&e'],
    ['http://example.com?x', 'example.com', 80, '/?x'],
    ['http://[::1]:3000/x', '::1', 3000, '/x'],
    ['http://127.1/x', '127.0.0.1', 80, '/x'],
    ['http://example.com//a/../b', 'example.com', 80, '//a/../b'],
    ['http://example.com/http://evil.test/', 'example.com', 80, '/http://evil.test/'],
  ])('%s', (...[target, host, port, path]) => {
    expect(parseAbsoluteForm(target, 'GET')).toMatchObject({ destination: { host, port }, target: path });
  });

  test.each([
    '/',
    '*',
    '',
    'example.com:80',
    'https://example.com/',
    'ftp://example.com/',
    'ws://example.com/',
    'http:/example.com/',
    'http:example.com',
    'http:///x',
    'http://',
    'http://:80/',
    'http://user@example.com/',
    'http://user:pass@example.com/',
    'http://example.com:0/',
    'http://example.com:99999/',
    'http://exa%6dple.com/',
    'http://example.com\\@evil.test/',
    'http://a\\b/',
    'http://example.com#x',
    'http://example.com/#x',
    'http://[::1/',
    'http://*.example.com/',
    ' http://example.com/',
  ])('%j is refused', (target) => {
    expect(parseAbsoluteForm(target, 'GET')).toBeUndefined();
  });

  test('OPTIONS without a path is about the server. RFC 9112 §3.2.4', () => {
    expect(parseAbsoluteForm('http://example.com', 'OPTIONS')?.target).toBe('*');
    expect(parseAbsoluteForm('http://example.com/', 'OPTIONS')?.target).toBe('/');
    expect(parseAbsoluteForm('http://example.com?a', 'OPTIONS')?.target).toBe('/?a');
  });
});

function headOf(text: string): RequestHead {
  const head = parseRequestHead(text);
  if (head.kind === 'problem') throw new Error(head.message);
  return head;
}

function rewritten(text: string): string {
  const head = headOf(text);
  const form = parseAbsoluteForm(head.target, head.method);
  if (form === undefined) throw new Error('no absolute form');
  return inOriginForm(head, form).toString('latin1');
}

describe('in origin form', () => {
  test('the URL becomes a path and Host, and no field for the proxy remains', () => {
    const text =
      'GET http://a.test:8080/x?y HTTP/1.1\r\nUser-Agent: u\r\nHost: a.test:8080\r\nProxy-Authorization: Basic c2VjcmV0\r\nProxy-Connection: keep-alive\r\nPROXY-FOO: 1\r\nAccept: */*';
    expect(rewritten(text)).toBe(
      'GET /x?y HTTP/1.1\r\nHost: a.test:8080\r\nConnection: close\r\nUser-Agent: u\r\nAccept: */*\r\n\r\n',
    );
  });

  test('HTTP/1.0 keeps its version, and gets a Host', () => {
    expect(rewritten('GET http://a.test/ HTTP/1.0')).toBe(
      'GET / HTTP/1.0\r\nHost: a.test\r\nConnection: close\r\n\r\n',
    );
  });

  test.each([
    ['keep-alive', 'close'],
    ['Keep-Alive, X-Private', 'close, x-private'],
    ['close', 'close'],
    ['proxy-authorization', 'close'],
    ['upgrade', 'close'],
  ])('Connection: %s becomes %s', (from, to) => {
    expect(
      rewritten(`GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nConnection: ${from}\r\nKeep-Alive: timeout=5`),
    ).toContain(`\r\nConnection: ${to}\r\n`);
  });

  test('an upgrade stays an upgrade', () => {
    const text = rewritten(
      'GET http://a.test/ws HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k',
    );
    expect(text).toContain('\r\nConnection: close, upgrade\r\n');
    expect(text).toContain('\r\nUpgrade: websocket\r\n');
  });

  test('framing fields stay unchanged', () => {
    const text = rewritten(
      'POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\nX: caf\u00e9',
    );
    expect(text).toContain('\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\nX: caf\u00e9\r\n');
  });

  test('is a head of one request for the destination, for any URL and fields', () => {
    const path = fc.string({
      unit: fc.constantFrom('a', '/', '.', '%', ':', '@', '?', '=', ' ', '\r', '\n', '\0', '\u00fc'),
      maxLength: 20,
    });
    const value = fc.string({
      unit: fc.constantFrom('a', ',', ' ', '\t', '\r', '\n', ':', 'close', 'proxy-authorization'),
      maxLength: 10,
    });
    fc.assert(
      fc.property(path, value, (...[suffix, connection]) => {
        const head = parseRequestHead(
          `GET http://a.test/${suffix} HTTP/1.1\r\nHost: a.test\r\nConnection: ${connection}\r\nProxy-Authorization: Basic c2VjcmV0`,
        );
        const form = head.kind === 'problem' ? undefined : parseAbsoluteForm(head.target, head.method);
        if (head.kind === 'problem' || form === undefined) return;
        const text = inOriginForm(head, form).toString('latin1');
        expect(text.indexOf('\r\n\r\n')).toBe(text.length - 4);
        expect(text).not.toMatch(/c2VjcmV0|[^\r]\n|\r[^\n]/);
        const again = headOf(text.slice(0, -4));
        expect(again.target.startsWith('/')).toBe(true);
        expect(again.fields.filter(({ key }) => key === 'host')).toEqual([
          { name: 'Host', key: 'host', value: 'a.test' },
        ]);
        expect(again.fields.filter(({ key }) => key === 'connection')).toHaveLength(1);
      }),
      { numRuns: rounds(2000) },
    );
  });
});

test.each([
  ['example.com:443', 'example.com', 443],
  ['EXAMPLE.com.:443', 'example.com', 443],
  ['a_b.example.com:1', 'a_b.example.com', 1],
  ['192.0.2.1:65535', '192.0.2.1', 65_535],
  ['0x7f.1:80', '127.0.0.1', 80],
  ['2130706433:80', '127.0.0.1', 80],
  ['[2001:db8::1]:443', '2001:db8::1', 443],
  ['[::ffff:127.0.0.1]:443', '127.0.0.1', 443],
  ['xn--bcher-kva.de:443', 'xn--bcher-kva.de', 443],
])('%s', (text, host, port) => {
  expect(parseAuthorityForm(text)).toEqual({ host, port });
});

test.each([
  '',
  'example.com',
  ':443',
  'example.com:',
  'example.com:0',
  'example.com:65536',
  'example.com:443x',
  'example.com:0443',
  'example.com:+443',
  'example.com:-1',
  'example.com: 443',
  'example.com:443:443',
  'user@example.com:443',
  'user:pass@example.com:443',
  'example.com/:443',
  'example.com:443/',
  'http://example.com:443',
  'https://example.com',
  '//example.com:443',
  'exa mple.com:443',
  'example.com\0:443',
  'example.com%00:443',
  'ex%61mple.com:443',
  'b\u00fccher.de:443',
  '::1:443',
  '[::1]',
  '[::1]:',
  '[::1:443',
  '::1]:443',
  '[127.0.0.1]:443',
  '[fe80::1%25eth0]:443',
  '[fe80::1%eth0]:443',
  '[]:443',
  '[v1.x]:443',
  '*:443',
  '*.example.com:443',
  '256.0.0.1:443',
  '1.2.3.4.5:443',
  '..:443',
  '.:443',
  'a..b:443',
  `${'a'.repeat(64)}.com:443`,
  `${'a.'.repeat(130)}:443`,
  '\uff11\uff12\uff17.0.0.1:80',
])('%j is refused', (text) => {
  expect(parseAuthorityForm(text)).toBeUndefined();
});

test('a port may be omitted only where there is a default', () => {
  expect(parseAuthorityForm('example.com', 80)).toEqual({ host: 'example.com', port: 80 });
  expect(parseAuthorityForm('example.com:8080', 80)).toEqual({ host: 'example.com', port: 8080 });
  expect(parseAuthorityForm('[::1]', 80)).toEqual({ host: '::1', port: 80 });
  expect(parseAuthorityForm('example.com:', 80)).toBeUndefined();
});

test('any text is a destination or invalid', () => {
  const unit = fc.constantFrom('a', '1', '.', ':', '[', ']', '@', '%', '/', '-', ' ', '\0', '\r', '\u00fc', 'f');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 24 }), (text) => {
      const destination = parseAuthorityForm(text, 80);
      if (destination === undefined) return;
      expect(destination.host).toMatch(/^[a-z0-9_.:-]+$/);
      expect(destination.port >= 1 && destination.port <= 65_535).toBe(true);
      expect(text).not.toMatch(/[@%/ \0\r]/);
    }),
    { numRuns: rounds(3000) },
  );
});
