import { isUtf8 } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAscii, utf8Text } from './utf8.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const likely = fc
  .array(
    fc.constantFrom(
      0x61,
      0x80,
      0xbf,
      0xc0,
      0xc3,
      0xa9,
      0xe2,
      0xed,
      0xa0,
      0xef,
      0xbb,
      0xbf,
      0xbd,
      0xf0,
      0x9f,
      0xf4,
      0x90,
      0xff,
    ),
    { maxLength: 8 },
  )
  .map((octets) => Buffer.from(octets));

describe('text of bytes', () => {
  test('is there if they are UTF-8, and is those bytes', () => {
    fc.assert(
      fc.property(likely, (bytes) => {
        const text = utf8Text(bytes);
        expect(text !== undefined).toBe(isUtf8(bytes));
        if (text !== undefined) expect(Buffer.from(text)).toEqual(bytes);
      }),
      { numRuns: rounds(5000) },
    );
  });

  test.each([
    ['nothing', '', ''],
    ['a byte order mark', 'efbbbf61', '\ufeffa'],
    ['a replacement character', 'efbfbd', '\ufffd'],
    ['one beside a broken octet', 'efbfbdff', undefined],
    ['a surrogate', 'eda080', undefined],
    ['an overlong spelling', 'c0af', undefined],
    ['more than Unicode has', 'f4908080', undefined],
    ['half a character', 'e697', undefined],
  ])('%s', (_, hex, text) => {
    expect(utf8Text(Buffer.from(hex, 'hex'))).toBe(text);
  });
});

test('text in Latin-1 is ASCII if each octet is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (octets) => {
      expect(isAscii(Buffer.from(octets).toString('latin1'))).toBe(octets.every((octet) => octet < 0x80));
    }),
  );
});
