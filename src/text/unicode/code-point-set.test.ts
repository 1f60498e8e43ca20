import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePointSet, densePointSet, rangeBounds } from './code-point-set.ts';
import { emoji } from './tables.ts';

describe.each([
  ['codePointSet', codePointSet],
  ['densePointSet', densePointSet],
])('%s', (_name, make) => {
  const isIn = make('9-a,20,41-5a,1f600-1f64f');

  test.each([0x9, 0xa, 0x20, 0x41, 0x4f, 0x5a, 0x1f600, 0x1f64f])('%i is inside', (point) => {
    expect(isIn(point)).toBe(true);
  });

  test.each([-1, 0, 0x8, 0xb, 0x1f, 0x21, 0x40, 0x5b, 0x1f5ff, 0x1f650, 0x10ffff])('%i is outside', (point) => {
    expect(isIn(point)).toBe(false);
  });
});

test('a range includes both its ends, and a single point is a range', () => {
  expect([...rangeBounds('9-a,20')]).toEqual([9, 10, 32, 32]);
});

test('both kinds of lookup agree', () => {
  const [sparse, dense] = [codePointSet(emoji), densePointSet(emoji)];
  fc.assert(fc.property(fc.integer({ min: -1, max: 0x10ffff }), (point) => sparse(point) === dense(point)));
});
