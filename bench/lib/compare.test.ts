import { expect, test } from 'vitest';
import { difference, medianOf, pairedPercent, ratio } from './compare.ts';
import type { Result } from './measure.ts';

const results: readonly Result[] = [
  { kind: 'measured', name: 'bare', samples: [10, 20, 100] },
  { kind: 'measured', name: 'boxed', samples: [11, 22, 110] },
  { kind: 'absent', name: 'gone', reason: '' },
];

test('compares medians', () => {
  expect(medianOf(results, 'boxed')).toBe(22);
  expect(ratio(results, 'boxed', 'bare')).toBeCloseTo(1.1);
  expect(difference(results, 'boxed', 'bare')).toBe(2);
});

test('compares round by round', () => {
  expect(pairedPercent(results, 'boxed', 'bare')).toBeCloseTo(10);
});

test('gives nothing for absent or unknown rows', () => {
  expect([medianOf(results, 'gone'), ratio(results, 'gone', 'bare'), difference(results, 'bare', 'typo')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
