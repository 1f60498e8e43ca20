import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeIdentifier, readIdentifier } from './entry-file.ts';

describe('makeIdentifier', () => {
  test('says when and how much', () => {
    expect(makeIdentifier(Date.UTC(2026, 10, 3, 10, 11, 12, 345) * 1000 + 678, 100)).toMatch(
      /^20261103-101112-345678-[\da-f]{6}-2s$/u,
    );
  });

  test('is read back, and sorts by time', () => {
    const microseconds = fc.integer({ min: 0, max: 4e15 });
    fc.assert(
      fc.property(microseconds, microseconds, fc.nat(1e15), (first, second, size) => {
        const id = makeIdentifier(first, size);
        expect(readIdentifier(id)).toEqual({ id, at: Math.floor(first / 1000), size });
        if (first !== second) expect(id < makeIdentifier(second, 0)).toBe(first < second);
      }),
    );
  });

  test.each([
    '',
    '..',
    'entry',
    '20261103-101112-345678-k3f9xq-2s',
    '20261103-101112-345678-aaaaaa-2s.removing',
    '20261103-101112-345678-aaaaaa-',
    '../20261103-101112-345678-aaaaaa-2s',
    '20269903-101112-345678-aaaaaa-2s',
  ])('%j is none', (name) => {
    expect(readIdentifier(name)).toBeUndefined();
  });
});
