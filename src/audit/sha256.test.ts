import { createHash } from 'node:crypto';
import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { hasherFor, sha256 } from './sha256.ts';

const reference = (text: string): string => createHash('sha256').update(text).digest('hex');

test('agrees with node:crypto on any text', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 400 }), (text) => {
      expect(sha256(text)).toBe(reference(text));
    }),
    { numRuns: 2000 },
  );
});

test('agrees at every length around the block boundaries', () => {
  for (let length = 0; length <= 260; length++) {
    const text = 'a'.repeat(length);
    expect(sha256(text)).toBe(reference(text));
  }
});

test('knows the example of FIPS 180-4', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('many texts are hashed to the same by OpenSSL, and few without it', () => {
  expect(hasherFor(16)).toBe(sha256);
  const many = hasherFor(17);
  expect(many).not.toBe(sha256);
  for (const text of ['', 'abc', 'ü€😀', 'a'.repeat(1000)]) expect(many(text)).toBe(reference(text));
});
