import { createHash } from 'node:crypto';
import { assert, property, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { sha256, stateAfter } from './mac.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const reference = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('agrees with node:crypto on any bytes', () => {
  assert(
    property(uint8Array({ maxLength: 400 }), (bytes) => {
      expect(sha256(bytes).toString('hex')).toBe(reference(bytes));
    }),
    { numRuns: rounds(2000) },
  );
});

test('agrees at every length around the block boundaries, also when it goes on after a block', () => {
  const block = Buffer.alloc(64, 'b');
  for (let length = 0; length <= 260; length++) {
    const bytes = Buffer.alloc(length, 'a');
    expect(sha256(bytes).toString('hex')).toBe(reference(bytes));
    expect(sha256(bytes, stateAfter(block)).toString('hex')).toBe(reference(Buffer.concat([block, bytes])));
  }
});

test('knows the example of FIPS 180-4', () => {
  expect(sha256(Buffer.from('abc')).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
