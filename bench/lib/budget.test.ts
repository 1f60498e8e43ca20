import { expect, test } from 'vitest';
import { type Budget, verdictOf } from './budget.ts';

const budget: Budget = { claim: '', measured: 2, limit: 2, unit: '×', direction: 'at-most' };

test.each<[Partial<Budget>, string]>([
  [{}, 'pass'],
  [{ measured: 2.01 }, 'miss'],
  [{ measured: 1.99, direction: 'at-least' }, 'miss'],
  [{ measured: 7, direction: 'at-least' }, 'pass'],
  [{ measured: undefined }, 'not measured'],
])('%j: %s', (change, verdict) => {
  expect(verdictOf({ ...budget, ...change })).toBe(verdict);
});
