import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { budgetStates, createBudgets } from './budget-states.ts';
import { budget, call, noon, options, record, usageOf } from './testing/calls.ts';

const at = { session: 's-1', now: noon };

test('spending belongs to the day, month or session of the budget', () => {
  const spent = [
    record(),
    record({ at: '2026-11-21T12:00:00Z' }),
    record({ at: '2026-10-31T12:00:00Z' }),
    record({ session: 's-2' }),
  ];
  const states = budgetStates(
    [budget('tokens', 100), budget('tokens', 100, { over: 'month' }), budget('tokens', 100, { over: 'session' })],
    { ...at, spent },
  );
  expect(states.map(({ spent: used, most, until }) => [used, most, until?.toISOString()])).toEqual([
    [20, 100, '2026-11-23T00:00:00.000Z'],
    [30, 100, '2026-12-01T00:00:00.000Z'],
    [30, 100, undefined],
  ]);
});

test.each([
  [79, 0],
  [80, 80],
  [89, 80],
  [90, 90],
  [95, 95],
  [99, 95],
  [100, 100],
  [250, 100],
] as const)('of %d %% the mark is %d', (used, mark) => {
  expect(budgetStates([budget('usd', 100)], { ...at, spent: [record({ usd: used })] })).toMatchObject([
    { spent: used, most: 100, mark },
  ]);
});

test('a limit of nothing is spent', () => {
  expect(budgetStates([budget('tokens', 0), budget('usd', Number.NaN)], { ...at, spent: [] })).toMatchObject([
    { mark: 100 },
    { mark: 100 },
  ]);
});

test('calls that told nothing are said, and counted as the dearest', () => {
  const { usage: _, ...untold } = record();
  expect(
    budgetStates([budget('tokens', 100)], { ...at, spent: [record({ usage: usageOf(30) }), untold] }),
  ).toMatchObject([{ spent: 60, untold: 1 }]);
});

test('a budget that is spent here lets no call through, and any other does', () => {
  const calls = fc.array(
    fc.record({
      usd: fc.nat(40),
      session: fc.constantFrom('s-1', 's-2'),
      at: fc.constantFrom('2026-11-22T01:00:00Z', '2026-11-20T00:00:00Z', '2026-09-20T00:00:00Z'),
    }),
    { maxLength: 8 },
  );
  const budgets = fc.record({
    kind: fc.constantFrom('tokens' as const, 'usd' as const, 'requests' as const),
    most: fc.integer({ min: 1, max: 60 }),
    over: fc.constantFrom('session' as const, 'day' as const, 'month' as const),
  });
  fc.assert(
    fc.property(calls, budgets, (some, { kind, most, over }) => {
      const spent = some.map((one) => record(one));
      const one = budget(kind, most, { over });
      const [state] = budgetStates([one], { ...at, spent });
      expect(createBudgets([one], { ...options, ...at, spent }).admit(call, noon).kind).toBe(
        state?.mark === 100 ? 'spent' : 'go',
      );
    }),
  );
});
