import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeOf, errorFields } from './errors.ts';
import { parseFirstPacket } from './startup.ts';
import { cancelRequest, errorResponse, startupMessage, zeroEnded, tlsRequest } from './types.ts';

const body = (packet: Buffer): Buffer => packet.subarray(4);
const version = (minor: number, rest: string): Buffer =>
  Buffer.concat([Buffer.from([0, 3, 0, minor]), Buffer.from(rest)]);

describe('a startup message', () => {
  test('is read as it was written', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'B', '_', 'é', ' ', '='), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(word, fc.dictionary(word, word, { maxKeys: 6 }), (user, more) => {
        const parameters = new Map([...Object.entries(more), ['user', user]]);
        expect(parseFirstPacket(body(startupMessage(parameters)))).toEqual({
          kind: 'startup',
          minor: 0,
          parameters,
          options: [],
        });
      }),
    );
  });

  test('of a later version has options, which are not parameters', () => {
    expect(parseFirstPacket(version(2, 'user\0app\0_pq_.report\0on\0\0'))).toEqual({
      kind: 'startup',
      minor: 2,
      parameters: new Map([['user', 'app']]),
      options: ['_pq_.report'],
    });
  });

  test.each([
    ['no user', 'database\0app\0\0'],
    ['an empty user', 'user\0\0\0'],
    ['nothing', ''],
    ['no end', 'user\0app\0'],
    ['no value', 'user\0'],
    ['something behind its end', 'user\0app\0\0x'],
    ['two ends', 'user\0app\0\0\0'],
    ['a parameter twice', 'user\0app\0user\0boss\0\0'],
    ['too many parameters', `user\0app\0${Array.from({ length: 70 }, (_, index) => `p${index}\0v\0`).join('')}\0`],
  ])('with %s is malformed', (_, rest) => {
    expect(parseFirstPacket(version(0, rest))).toMatchObject({ kind: 'malformed' });
  });

  test('with bytes that are no UTF-8 is malformed: the server would take them for another user than the journal', () => {
    expect(
      parseFirstPacket(
        Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from('user\0'), Buffer.from([0xff, 0]), Buffer.from([0])]),
      ),
    ).toMatchObject({ kind: 'malformed' });
  });
});

test.each([
  ['a request for TLS', body(tlsRequest), { kind: 'tls' }],
  ['a request for GSS', Buffer.from('04d21630', 'hex'), { kind: 'gss' }],
  [
    'a cancel request',
    body(cancelRequest(4711, Buffer.from([1, 2, 3, 4]))),
    { kind: 'cancel', processId: 4711, key: Buffer.from([1, 2, 3, 4]) },
  ],
  [
    'one with a long key',
    body(cancelRequest(1, Buffer.alloc(256))),
    { kind: 'cancel', processId: 1, key: Buffer.alloc(256) },
  ],
  ['one with a key that is too long', body(cancelRequest(1, Buffer.alloc(257))), { kind: 'malformed' }],
  ['one without a key', Buffer.from('04d2162e00000001', 'hex'), { kind: 'malformed' }],
  ['a request for TLS with more in it', Buffer.from('04d2162f00', 'hex'), { kind: 'malformed' }],
  ['version 2', Buffer.from('00020000', 'hex'), { kind: 'unsupported', major: 2, minor: 0 }],
  ['HTTP', Buffer.from('GET / HTTP/1.1'), { kind: 'unsupported' }],
  ['too few bytes', Buffer.from([0, 3]), { kind: 'malformed' }],
])('%s', (_, packet, expected) => {
  expect(parseFirstPacket(packet)).toMatchObject(expected);
});

test('any bytes are something, and none throws', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('', '00030000', '04d2162e', '04d2162f'),
      (bytes, start) => {
        expect(['tls', 'gss', 'cancel', 'startup', 'malformed', 'unsupported']).toContain(
          parseFirstPacket(Buffer.concat([Buffer.from(start, 'hex'), bytes])).kind,
        );
      },
    ),
  );
});

describe('errors', () => {
  test('are read as they are written, and hold no control characters', () => {
    const bytes = errorResponse({
      severity: 'FATAL',
      code: '28P01',
      message: 'no\u0000t\n\u001b[31m th\u009bis',
      remedy: 'that',
    });
    const fields = errorFields(bytes.subarray(5));
    expect([...fields]).toEqual([
      ['S', 'FATAL'],
      ['V', 'FATAL'],
      ['C', '28P01'],
      ['M', 'holdfast: no t  [31m th is'],
      ['H', 'that'],
    ]);
    expect(codeOf(fields)).toBe('28P01');
  });

  test('are read as far as they go', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(codeOf(errorFields(Buffer.from(bytes)))).toMatch(/^[0-9A-Z]{5}$/u);
      }),
    );
    expect(codeOf(errorFields(Buffer.from('SERROR\0C<b>\0')))).toBe('XX000');
  });
});

test('a text with a NUL is not written', () => {
  expect(() => zeroEnded('a\0b')).toThrow(RangeError);
});
