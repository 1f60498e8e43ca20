import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cost } from '../cost/custom-price.ts';
import { createBudgets } from './budget-states.ts';
import { budget, call, noon, options, spentCall } from './testing/calls.ts';
import type { BudgetOptions, SpentCall } from './types.ts';

/** A dollar for a token that is read from a cache, and ten for any other. */
const priced: BudgetOptions = {
  ...options,
  priceOf: (usage): Cost => ({
    kind: 'priced',
    usd: usage.cacheRead + 10 * (usage.uncachedInput + usage.output),
    model: 'm',
    table: 't',
  }),
};
const of = (input: number) => ({ ...call, input });
const untold: SpentCall = { cost: { kind: 'unknown', table: 't' }, status: 200 };

describe('a call that is too much by itself', () => {
  test.each([
    ['tokens', 100, 200, 'go'],
    ['tokens', 100, 202, 'spent'],
    ['usd', 100, 200, 'go'],
    ['usd', 100, 202, 'spent'],
    ['requests', 1, 1e9, 'go'],
  ] as const)('for a budget of %s', (...[kind, most, input, answer]) => {
    expect(createBudgets([budget(kind, most)], priced).admit(of(input), noon).kind).toBe(answer);
  });

  test('names the rest of the budget, and smaller ones go on', () => {
    const budgets = createBudgets([budget('tokens', 100)], options);
    budgets.note(call, spentCall(40), noon);
    expect(budgets.admit(of(200), noon)).toMatchObject({
      kind: 'spent',
      message:
        'The call costs at least 100 tokens, which is more than budget "b" has left: 40 tokens of 100 tokens today (UTC) are used.',
      remedy: expect.stringContaining('make the call smaller'),
    });
    expect(budgets.admit(of(120), noon).kind).toBe('go');
  });
});

describe('calls at the same time', () => {
  test('are refused if their minimum cost exceeds the limit, and go on when others have ended', () => {
    const budgets = createBudgets([budget('tokens', 100)], options);
    const [first, second, third] = [of(80), of(80), of(80)];
    expect([budgets.admit(first, noon).kind, budgets.admit(second, noon).kind]).toEqual(['go', 'go']);
    expect(budgets.admit(third, noon)).toMatchObject({
      kind: 'spent',
      message: expect.stringContaining('and 80 tokens are reserved for calls in progress'),
    });
    budgets.release(first);
    expect(budgets.admit(third, noon).kind).toBe('go');
    budgets.note(second, spentCall(5), noon);
    expect(budgets.admit(of(40), noon).kind).toBe('go');
  });

  test('hold nothing back from one of no length', () => {
    const budgets = createBudgets([budget('tokens', 100)], options);
    for (const [used, admitted] of [
      [40, of(120)],
      [20, call],
    ] as const) {
      budgets.note(call, spentCall(used), noon);
      expect(budgets.admit(admitted, noon).kind).toBe('go');
    }
    expect(budgets.admit(of(10), noon).kind).toBe('spent');
  });

  test('of another provider do not count', () => {
    const budgets = createBudgets([budget('tokens', 100, { providers: ['anthropic'] })], options);
    budgets.admit({ ...of(10_000), provider: 'openai' }, noon);
    expect(budgets.admit(of(200), noon).kind).toBe('go');
  });

  test('never hold anything back once they have ended', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ input: fc.nat(300), end: fc.constantFrom('note', 'release') })), (calls) => {
        const budgets = createBudgets([budget('tokens', 1000)], options);
        const begun = calls
          .map(({ input, end }) => ({ one: of(input), end }))
          .filter(({ one }) => budgets.admit(one, noon).kind === 'go');
        for (const { one, end } of begun)
          if (end === 'note') budgets.note(one, spentCall(0), noon);
          else budgets.release(one);
        expect(budgets.admit(of(2000), noon).kind).toBe('go');
      }),
    );
  });
});

describe('an answer that tells nothing', () => {
  test.each([
    ['tokens', 100],
    ['usd', 1000],
  ] as const)('costs what its input is taken for, by a budget of %s', (...[kind, most]) => {
    const budgets = createBudgets([budget(kind, most)], priced);
    const [first, second] = [of(60), of(60)];
    for (const one of [first, second]) {
      expect(budgets.admit(one, noon).kind).toBe('go');
      budgets.note(one, untold, noon);
    }
    expect(budgets.admit(of(1), noon)).toMatchObject({
      kind: 'spent',
      message: expect.stringContaining('2 of these calls did not report their usage'),
    });
  });

  test('costs as much as the dearest call where that is more', () => {
    const budgets = createBudgets([budget('tokens', 100)], options);
    budgets.note(call, spentCall(50), noon);
    budgets.note(of(10), untold, noon);
    expect(budgets.admit(call, noon).kind).toBe('spent');
  });
});

describe('uncounted work', () => {
  test.each(['requests', 'tokens', 'usd'] as const)('is refused where a budget of %s holds for it', (kind) => {
    const budgets = createBudgets([budget(kind, 100)], priced);
    expect(budgets.admit({ ...call, operation: 'other', cost: 'untold' }, noon)).toMatchObject({
      kind: 'unpriced',
      message: expect.stringContaining('never reports the usage'),
    });
  });

  test('goes on where none does', () => {
    expect(
      createBudgets([budget('usd', 1, { providers: ['openai'] })], priced).admit(
        { ...call, operation: 'other', cost: 'untold' },
        noon,
      ).kind,
    ).toBe('go');
  });
});
