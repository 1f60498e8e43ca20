import { describe, expect, test } from 'vitest';
import { field, tokensOf, fieldValue, valuesOf, withField, withoutField } from './message.ts';
import { endToEnd, endToEndTrailers } from './write-body.ts';

const fields = [
  field('Accept', 'text/html, application/JSON;q=0.5'),
  field('X-A', '1'),
  field('accept', 'b'),
  field('x-a', '2'),
  field('Last', 'z'),
];

test('a field is found in any case', () => {
  expect(field('X-AbC', ' v')).toEqual({ name: 'X-AbC', key: 'x-abc', value: ' v' });
  expect(fieldValue(fields, 'accept')).toBe('text/html, application/JSON;q=0.5');
  expect(fieldValue(fields, 'none')).toBeUndefined();
  expect(valuesOf(fields, 'x-a')).toEqual(['1', '2']);
  expect(tokensOf(fields, 'accept')).toEqual(['text/html', 'application/json;q=0.5', 'b']);
  expect(tokensOf([field('Connection', ' , close ,, X ')], 'connection')).toEqual(['close', 'x']);
});

test('a field is replaced at the place and in the case of the first one with its name', () => {
  expect(withField(fields, 'x-A', '3').map(({ name, value }) => [name, value])).toEqual([
    ['Accept', 'text/html, application/JSON;q=0.5'],
    ['X-A', '3'],
    ['accept', 'b'],
    ['Last', 'z'],
  ]);
  expect(withField(fields, 'New', 'n').at(-1)).toEqual(field('New', 'n'));
  expect(withoutField(fields, 'accept').map(({ name }) => name)).toEqual(['X-A', 'x-a', 'Last']);
  expect(fields).toHaveLength(5);
});

describe('the fields for the next connection', () => {
  test.each([
    [
      'connection fields',
      [
        ['Connection', 'keep-alive'],
        ['Keep-Alive', '5'],
        ['Proxy-Connection', 'x'],
        ['Upgrade', 'h2c'],
        ['HTTP2-Settings', 'x'],
        ['Transfer-Encoding', 'chunked'],
        ['A', 'b'],
      ],
      ['A: b'],
    ],
    [
      'fields that Connection names, in any case',
      [
        ['Connection', 'X-One'],
        ['connection', 'x-TWO, close'],
        ['x-one', '1'],
        ['X-Two', '2'],
        ['X-Three', '3'],
      ],
      ['X-Three: 3'],
    ],
    [
      "the proxy's own secret",
      [
        ['Proxy-Authorization', 'Basic c2VjcmV0'],
        ['Authorization', 'Bearer own'],
      ],
      ['Authorization: Bearer own'],
    ],
    [
      'TE but for trailers',
      [
        ['TE', 'gzip;q=1, Trailers'],
        ['te', 'deflate'],
      ],
      ['TE: trailers'],
    ],
    [
      'no field of the message itself',
      [
        ['Trailer', 'X'],
        ['Via', '1.1 x'],
        ['Content-Length', '1'],
        ['Forwarded', 'x'],
      ],
      ['Trailer: X', 'Via: 1.1 x', 'Content-Length: 1', 'Forwarded: x'],
    ],
  ])('drops %s', (_, pairs, expected) => {
    expect(
      endToEnd(pairs.map(([name = '', value = '']) => field(name, value))).map(
        ({ name, value }) => `${name}: ${value}`,
      ),
    ).toEqual(expected);
  });

  test.each([
    'Content-Length',
    'Transfer-Encoding',
    'Host',
    'Authorization',
    'Cookie',
    'Set-Cookie',
    'Content-Type',
    'Connection',
    ':path',
    'Trailer',
  ])('%s is not a trailer', (name) => {
    expect(endToEndTrailers([field(name, 'x'), field('Grpc-Status', '0')])).toEqual([field('Grpc-Status', '0')]);
  });
});
