import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byteByByte } from '../testing/split.ts';
import { parseCredentials, parseGreeting, parseRequest, reply, replyCodeOf, replyCodes } from './serve.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

test.each([
  ['policy', 2],
  ['special-address', 2],
  ['special-name', 2],
  ['authority-mismatch', 2],
  ['name-not-found', 4],
  ['resolver-failed', 4],
  ['unreachable', 5],
  ['upstream-timeout', 6],
  ['malformed-host', 1],
  ['overloaded', 1],
] as const)('%s has the reply code %i', (code, expected) => {
  expect(replyCodeOf(code)).toBe(expected);
});

test('a reply does not reveal the local address', () => {
  expect([...reply(replyCodes.succeeded)]).toEqual([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  expect([...reply(replyCodes.commandNotSupported)]).toEqual([5, 7, 0, 1, 0, 0, 0, 0, 0, 0]);
});

const bytes = (...parts: readonly (number | string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part) : Buffer.from(typeof part === 'number' ? [part] : [...part]),
    ),
  );
const named = (name: string, port = 443): Buffer =>
  bytes([5, 1, 0, 3, Buffer.byteLength(name)], name, [port >> 8, port & 255]);
const hostile = fc.uint8Array({ maxLength: 600 }).map((each) => Buffer.from(each));
const runs = { numRuns: rounds(1000) } as const;

describe('the greeting', () => {
  test.each([
    [[5, 1, 2], [2], 3],
    [[5, 2, 0, 2], [0, 2], 4],
    [[5, 1, 0], [0], 3],
    [[5, 1, 2, 5, 1, 0], [2], 3],
    [[5, 255, ...Array<number>(255).fill(2)], Array<number>(255).fill(2), 257],
  ])('%j', (input, value, length) => {
    expect(parseGreeting(Buffer.from(input))).toEqual({ kind: 'parsed', value, length });
  });

  test.each([[[5]], [[5, 1]], [[5, 3, 0, 1]], [[5, 255, 2]]])('%j is incomplete', (input) => {
    expect(parseGreeting(Buffer.from(input))).toEqual({ kind: 'incomplete' });
  });

  test.each([[[4, 1, 2]], [[5, 0]], [[0]], [[0x47, 0x45]]])('%j is malformed', (input) => {
    expect(parseGreeting(Buffer.from(input))).toMatchObject({
      kind: 'malformed',
      reason: expect.stringMatching(/\.$/),
    });
  });
});

describe('the credentials', () => {
  test('are a name and a password', () => {
    expect(parseCredentials(bytes([1, 8], 'holdfast', [6], 'secret', [5, 1]))).toEqual({
      kind: 'parsed',
      value: { user: 'holdfast', password: 'secret' },
      length: 17,
    });
  });

  test('may be empty, and as long as 255 octets', () => {
    expect(parseCredentials(bytes([1, 0, 0]))).toMatchObject({ value: { user: '', password: '' }, length: 3 });
    expect(parseCredentials(bytes([1, 255], 'u'.repeat(255), [255], 'p'.repeat(255)))).toMatchObject({
      value: { user: 'u'.repeat(255), password: 'p'.repeat(255) },
      length: 513,
    });
  });

  test.each([[[1]], [[1, 2, 65]], [[1, 1, 65]], [[1, 1, 65, 2, 65]]])('%j is incomplete', (input) => {
    expect(parseCredentials(Buffer.from(input))).toEqual({ kind: 'incomplete' });
  });

  test.each([[[0, 1, 65, 1, 65]], [[5, 1, 0, 1]], [[2]]])('%j is malformed', (input) => {
    expect(parseCredentials(Buffer.from(input)).kind).toBe('malformed');
  });
});

describe('the request', () => {
  test.each<[string, Buffer, string, number]>([
    ['a name', named('example.com'), 'example.com', 443],
    ['a name in capitals with a dot', named('EXAMPLE.com.', 22), 'example.com', 22],
    ['a name in Unicode', named('b\u00fccher.de'), 'xn--bcher-kva.de', 443],
    ['a name with characters that IDNA removes', named('\ufeffexample\u200b.com'), 'example.com', 443],
    ['an address as a name', named('127.0.0.1'), '127.0.0.1', 443],
    ['an odd spelling as a name', named('0x7f.1'), '127.0.0.1', 443],
    ['IPv4', bytes([5, 1, 0, 1, 192, 0, 2, 1, 0, 80]), '192.0.2.1', 80],
    ['IPv6', bytes([5, 1, 0, 4, 0x20, 1, 0x0d, 0xb8], Array<number>(11).fill(0), [1, 0x1f, 0x90]), '2001:db8::1', 8080],
    ['mapped IPv4', bytes([5, 1, 0, 4], Array<number>(10).fill(0), [255, 255, 10, 0, 0, 1, 0, 80]), '10.0.0.1', 80],
    [
      'the longest name',
      named(`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`),
      `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`,
      443,
    ],
  ])('%s', (...[, input, text, port]) => {
    expect(parseRequest(input)).toEqual({
      kind: 'parsed',
      value: { command: 1, host: { kind: 'host', text }, port },
      length: input.length,
    });
    expect(parseRequest(Buffer.concat([input, Buffer.from('early data')]))).toMatchObject({ length: input.length });
  });

  test.each<[string, Buffer]>([
    ['a NUL', named('example.com\0.evil.test')],
    ['a line break', named('example.com\r\nHost: evil.test')],
    ['a blank', named('example .com')],
    ['credentials', named('user@example.com')],
    ['a port', named('example.com:80')],
    ['a path', named('example.com/x')],
    ['a wildcard', named('*.example.com')],
    ['nothing', named('')],
    ['254 octets', named('a.'.repeat(127))],
    ['a label of 64', named(`${'a'.repeat(64)}.com`)],
    ['invalid UTF-8', bytes([5, 1, 0, 3, 2, 0xc3, 0x28, 0, 80])],
    ['overlong UTF-8', bytes([5, 1, 0, 3, 2, 0xc0, 0xae, 0, 80])],
    ['a number that is not an address', named('256.0.0.1')],
    ['a percent escape', named('example%2ecom')],
  ])('%s in the name is not a host', (_, input) => {
    expect(parseRequest(input)).toMatchObject({
      kind: 'parsed',
      value: { host: { kind: 'invalid' } },
      length: input.length,
    });
  });

  test.each([[2], [3], [0], [255]])('command %i is passed on', (command) => {
    expect(parseRequest(bytes([5, command, 0, 1, 1, 2, 3, 4, 0, 80]))).toMatchObject({
      kind: 'parsed',
      value: { command },
    });
  });

  test.each([[0], [2], [5], [255]])('address type %i is reported as unsupported', (type) => {
    expect(parseRequest(bytes([5, 1, 0, type, 1, 2, 3]))).toMatchObject({
      kind: 'parsed',
      value: { host: { kind: 'unsupported' } },
      length: 7,
    });
  });

  test.each([
    [[5]],
    [[5, 1]],
    [[5, 1, 0]],
    [[5, 1, 0, 1]],
    [[5, 1, 0, 1, 1, 2, 3, 4, 0]],
    [[5, 1, 0, 3]],
    [[5, 1, 0, 3, 2, 65, 66, 0]],
    [[5, 1, 0, 4, 1]],
  ])('%j is incomplete', (input) => {
    expect(parseRequest(Buffer.from(input))).toEqual({ kind: 'incomplete' });
  });

  test.each([[[4, 1, 0, 1]], [[5, 1, 1, 1]], [[5, 1, 255]]])('%j is malformed', (input) => {
    expect(parseRequest(Buffer.from(input)).kind).toBe('malformed');
  });
});

describe.each([
  ['greeting', parseGreeting, 257],
  ['credentials', parseCredentials, 513],
  ['request', parseRequest, 600],
] as const)('hostile bytes as %s', (_, parser, most) => {
  test('are parsed, malformed or incomplete, and never longer than a message', () => {
    fc.assert(
      fc.property(hostile, (input) => {
        const parsed = parser(input);
        expect(['incomplete', 'parsed', 'malformed']).toContain(parsed.kind);
        if (parsed.kind === 'parsed') expect(parsed.length > 0 && parsed.length <= input.length).toBe(true);
        if (parsed.kind === 'incomplete') expect(input.length).toBeLessThan(most);
      }),
      runs,
    );
  });

  test('mean the same in any pieces', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40, max: 6 }).map((each) => Buffer.from([5, ...each])),
        (input) => {
          const { parsed, seen } = byteByByte<unknown>(parser, input);
          if (parsed.kind !== 'parsed') return;
          expect(parsed.length).toBe(seen);
          const whole = parser(input);
          if (JSON.stringify(whole).includes('unsupported')) return;
          expect(whole).toEqual(parsed);
        },
      ),
      runs,
    );
  });
});

test('a host from any name is a normalised one', () => {
  const unit = fc.constantFrom(
    'a',
    'B',
    '1',
    '.',
    '-',
    '\0',
    '\r',
    '\n',
    ' ',
    '/',
    '@',
    ':',
    '%',
    '\u00fc',
    '\u3002',
    '\u0660',
    '[',
    ']',
    '\u200b',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), (name) => {
      const parsed = parseRequest(named(name));
      if (parsed.kind !== 'parsed') throw new Error('it is complete');
      const { host } = parsed.value;
      if (host.kind === 'host') expect(host.text).toMatch(/^(?:[a-z0-9_.-]{1,253}|[\da-f:]+)$/);
    }),
    { numRuns: rounds(2000) },
  );
});
