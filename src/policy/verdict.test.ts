import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decisions, goesAhead, stricter, strictnessOf } from './verdict.ts';

const decision = fc.constantFrom(...decisions);

test('the decisions are in the order of their strictness', () => {
  expect(decisions).toEqual(['allow', 'audit', 'redirect', 'stage', 'ask', 'deny']);
  expect(decisions.map(strictnessOf)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('stricter is the meet of a lattice', () => {
  fc.assert(
    fc.property(decision, decision, decision, (a, b, c) => {
      expect(stricter(a, b)).toBe(stricter(b, a));
      expect(stricter(stricter(a, b), c)).toBe(stricter(a, stricter(b, c)));
      expect(stricter(a, a)).toBe(a);
      expect(stricter(a, 'allow')).toBe(a);
      expect(stricter(a, 'deny')).toBe('deny');
      expect(strictnessOf(stricter(a, b))).toBeGreaterThanOrEqual(strictnessOf(a));
    }),
  );
});

test('an allowed request waits for nobody', () => {
  expect(decisions.filter(goesAhead)).toEqual(['allow', 'audit', 'redirect']);
});
