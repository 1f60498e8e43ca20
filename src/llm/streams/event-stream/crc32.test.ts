import { crc32 as crcOfZlib } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from './crc32.ts';

// The check value of CRC-32/ISO-HDLC, and sums that gzip gives.
test.each([
  ['', 0],
  ['123456789', 0xcbf43926],
  ['a', 0xe8b7be43],
  ['The quick brown fox jumps over the lazy dog', 0x414fa339],
])('of %j', (text, sum) => {
  expect(crc32(Buffer.from(text))).toBe(sum);
});

test('is that of zlib, of any part of any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(), fc.nat(), (bytes, one, other) => {
      const [start, end] = [one % (bytes.length + 1), other % (bytes.length + 1)].toSorted((a, b) => a - b);
      expect(crc32(bytes, start, end)).toBe(crcOfZlib(bytes.subarray(start, end)));
    }),
    { numRuns: 2000 },
  );
});

test('of a megabyte', () => {
  const bytes = Buffer.alloc(1_000_003, 'abc\xff\x00', 'latin1');
  expect(crc32(bytes)).toBe(crcOfZlib(bytes));
});
