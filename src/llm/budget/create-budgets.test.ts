import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBudgets } from './budget-states.ts';
import { budget, call, noon, options, record, spentCall, usageOf } from './testing/calls.ts';
import type { Budgets, SpentCall } from './types.ts';

function kindsOf(budgets: Budgets, times: number): string {
  return Array.from({ length: times }, () => budgets.admit(call, noon).kind).join(' ');
}

describe('a budget of requests', () => {
  test('lets as many begin, whether they have ended or not', () => {
    expect(kindsOf(createBudgets([budget('requests', 2)], options), 4)).toBe('go go spent spent');
  });

  test('counts a request that failed, and counts it once', () => {
    const budgets = createBudgets([budget('requests', 2)], options);
    budgets.admit(call, noon);
    budgets.note(call, { cost: { kind: 'unknown', table: 't' }, status: 500 }, noon);
    expect(kindsOf(budgets, 2)).toBe('go spent');
  });

  test('is not charged by a call that another budget refuses', () => {
    const budgets = createBudgets(
      [budget('requests', 2, { name: 'all' }), budget('requests', 0, { name: 'opus', models: ['*opus*'] })],
      options,
    );
    for (let count = 0; count < 5; count += 1)
      expect(budgets.admit({ ...call, model: 'opus' }, noon)).toMatchObject({ kind: 'spent', budget: 'opus' });
    expect(kindsOf(budgets, 3)).toBe('go go spent');
  });

  test.each(['count', 'other'] as const)('does not count the operation %s', (operation) => {
    const budgets = createBudgets([budget('requests', 0), budget('usd', 0)], options);
    expect(budgets.admit({ ...call, operation }, noon)).toEqual({ kind: 'go', warnings: [] });
    expect(budgets.admit({ ...call, operation: 'embed' }, noon).kind).toBe('spent');
  });
});

describe('a budget of tokens', () => {
  test('counts what went in and out, from caches and to them', () => {
    const budgets = createBudgets([budget('tokens', 31)], options);
    const usage = { uncachedInput: 1, cacheRead: 2, cacheWrite5m: 4, cacheWrite1h: 8, output: 15, reasoning: 15 };
    budgets.note(call, { ...spentCall(0), usage }, noon);
    expect(budgets.admit(call, noon).kind).toBe('go');
    budgets.note(call, spentCall(1), noon);
    expect(budgets.admit(call, noon).kind).toBe('spent');
  });

  test('lets calls under way overshoot it, and none that begins afterwards', () => {
    const budgets = createBudgets([budget('tokens', 100)], options);
    expect(kindsOf(budgets, 3)).toBe('go go go');
    for (const tokens of [90, 90, 90]) budgets.note(call, spentCall(tokens), noon);
    expect(budgets.admit(call, noon)).toMatchObject({
      kind: 'spent',
      message: 'Budget "b" is spent: 270 tokens of 100 tokens today (UTC).',
    });
  });

  test('is exceeded by the running calls at most', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('begin' as const), tokens: fc.nat(50) }),
      fc.record({ kind: fc.constant('end' as const), which: fc.nat(9) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.array(step, { maxLength: 60 }), (most, steps) => {
        const budgets = createBudgets([budget('tokens', most)], options);
        const underWay: number[] = [];
        let spent = 0;
        let atReach: number | undefined;
        const end = (tokens: number): void => {
          if (atReach === undefined && spent + tokens >= most)
            atReach = spent + tokens + underWay.reduce((sum, one) => sum + one, 0);
          spent += tokens;
          budgets.note(call, spentCall(tokens), noon);
        };
        for (const one of steps) {
          if (one.kind === 'begin') {
            const answer = budgets.admit(call, noon);
            expect(answer.kind).toBe(spent >= most ? 'spent' : 'go');
            if (answer.kind === 'go') underWay.push(one.tokens);
          } else for (const tokens of underWay.splice(one.which % (underWay.length || 1), 1)) end(tokens);
        }
        while (underWay.length > 0) end(underWay.pop() ?? 0);
        expect(spent).toBeLessThanOrEqual(atReach ?? most);
      }),
    );
  });

  test('counts an answer that told nothing as the dearest one, and says so', () => {
    const budgets = createBudgets([budget('tokens', 100)], options);
    for (const tokens of [40, 10]) budgets.note(call, spentCall(tokens), noon);
    budgets.note(call, { cost: { kind: 'unknown', table: 't' }, status: 200 }, noon);
    expect(budgets.admit(call, noon).kind).toBe('go');
    budgets.note(call, { ...spentCall(0), usage: usageOf(Number.NaN) }, noon);
    expect(budgets.admit(call, noon)).toMatchObject({
      kind: 'spent',
      message:
        'Budget "b" is spent: 130 tokens of 100 tokens today (UTC). 2 of these calls did not report their usage, and count as much as the dearest one.',
    });
  });

  test.each([400, 429, 500, 529])('counts nothing for a call that failed with %d and told nothing', (status) => {
    const budgets = createBudgets([budget('tokens', 100)], options);
    budgets.note(call, spentCall(99), noon);
    budgets.note(call, { cost: { kind: 'unknown', table: 't' }, status }, noon);
    expect(budgets.admit(call, noon).kind).toBe('go');
  });

  test('does not throw for usage of any kind, nor ever sink', () => {
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, -1, 1e300));
    fc.assert(
      fc.property(
        fc.array(fc.record({ tokens: number, usd: number })),
        fc.constantFrom('tokens', 'usd'),
        (told, kind) => {
          const budgets = createBudgets([budget(kind, 10)], options);
          budgets.note(call, spentCall(10, 10), noon);
          for (const { tokens, usd } of told) budgets.note(call, spentCall(tokens, usd), noon);
          expect(budgets.admit(call, noon).kind).toBe('spent');
        },
      ),
    );
  });
});

describe('a budget of money', () => {
  test('is spent when its sum is reached, however its parts are written', () => {
    const budgets = createBudgets([budget('usd', 1)], options);
    for (let count = 0; count < 10; count += 1) {
      expect(budgets.admit(call, noon).kind).toBe('go');
      budgets.note(call, spentCall(5, 0.1), noon);
    }
    expect(budgets.admit(call, noon)).toMatchObject({
      kind: 'spent',
      message: 'Budget "b" is spent: 1.00 USD of 1.00 USD today (UTC).',
    });
  });

  test('adds parts that have no exact fraction', () => {
    const budgets = createBudgets([budget('usd', 201)], options);
    for (let count = 0; count < 200; count += 1) budgets.note(call, spentCall(5, 1.005), noon);
    expect(budgets.admit(call, noon).kind).toBe('spent');
  });

  test('shows a long name in part', () => {
    const answer = createBudgets([budget('usd', 5)], options).admit(
      { ...call, model: `a\u001b[2J${'x'.repeat(5000)}` },
      noon,
    );
    expect(answer.kind !== 'go' && answer.message).toMatch(
      /^The model "a\\u\{1b\}\[2Jx{75}…" of "anthropic" has no price/u,
    );
  });

  test('refuses a model without a price before the call, and names the remedy', () => {
    const budgets = createBudgets([budget('usd', 5)], options);
    expect(budgets.admit({ ...call, model: 'new' }, noon)).toEqual({
      kind: 'unpriced',
      budget: 'b',
      message: 'The model "new" of "anthropic" has no price, so budget "b", which is in USD, cannot count it.',
      remedy:
        'use a model with a price, or ask the user to add its price to [[llm.prices]] of the policy, or to budget tokens',
    });
    const { model: _, ...unnamed } = call;
    expect(budgets.admit(unnamed, noon)).toMatchObject({
      kind: 'unpriced',
      message: expect.stringContaining('names no model'),
    });
    expect(budgets.admit(call, noon).kind).toBe('go');
  });

  test('asks for the price of output only where there is some', () => {
    const asked: number[] = [];
    const budgets = createBudgets([budget('usd', 5)], {
      ...options,
      priceOf: (usage) => (asked.push(usage.output), { kind: 'priced', usd: 0, model: 'm', table: 't' }),
    });
    budgets.admit(call, noon);
    budgets.admit({ ...call, operation: 'embed' }, noon);
    expect(asked).toEqual([1, 0]);
  });

  test('looks a price up once, and again while it is missing', () => {
    const asked: (string | undefined)[] = [];
    const budgets = createBudgets([budget('usd', 5), budget('usd', 6)], {
      ...options,
      priceOf: (usage, one) => (asked.push(one.model), options.priceOf(usage, one)),
    });
    for (const model of ['priced-1', 'priced-1', 'new', 'new', 'priced-2']) budgets.admit({ ...call, model }, noon);
    expect(asked).toEqual(['priced-1', 'new', 'new', 'priced-2']);
  });

  test('counts as the dearest one what told usage of a model without a price', () => {
    const budgets = createBudgets([budget('usd', 5)], options);
    budgets.note(call, spentCall(5, 2.5), noon);
    budgets.note(call, spentCall(5), noon);
    expect(budgets.admit(call, noon).kind).toBe('spent');
  });

  test('of free models is never spent', () => {
    const budgets = createBudgets([budget('usd', 0.000_001)], options);
    for (let count = 0; count < 100; count += 1) budgets.note(call, spentCall(1e6, 0), noon);
    expect(budgets.admit(call, noon).kind).toBe('go');
  });
});

test.each([0, -1, Number.NaN])('a limit of %d lets nothing through', (most) => {
  for (const kind of ['requests', 'tokens', 'usd'] as const)
    expect(createBudgets([budget(kind, most)], options).admit(call, noon).kind).toBe('spent');
});

describe('a budget is for', () => {
  test.each([
    [{}, 'anthropic', 'priced-1', true],
    [{ providers: ['openai', 'anthropic'] }, 'anthropic', 'priced-1', true],
    [{ providers: ['open*'] }, 'anthropic', 'priced-1', false],
    [{ providers: [] }, 'anthropic', 'priced-1', false],
    [{ models: ['priced-*'] }, 'anthropic', 'priced-1', true],
    [{ models: ['PRICED-*'] }, 'anthropic', 'priced-1', true],
    [{ models: ['openai/*', 'anthropic/priced-1'] }, 'anthropic', 'priced-1', true],
    [{ models: ['opus'] }, 'anthropic', 'priced-1', false],
    [{ models: ['opus'] }, 'anthropic', undefined, true],
    [{ models: ['opus'] }, 'anthropic', 'x'.repeat(1000), true],
    [{ models: ['opus'], providers: ['openai'] }, 'anthropic', undefined, false],
  ])('%j, and %s %s: %j', (...[more, provider, model, held]) => {
    const budgets = createBudgets([budget('requests', 0, more)], options);
    expect(
      budgets.admit({ provider, operation: 'generate', ...(model === undefined ? {} : { model }) }, noon).kind,
    ).toBe(held ? 'spent' : 'go');
  });

  test('a model that answered in the place of another', () => {
    const budgets = createBudgets([budget('tokens', 10, { models: ['opus'] })], options);
    const spent: SpentCall = { ...spentCall(10), model: 'opus' };
    budgets.note(call, spent, noon);
    expect(budgets.admit({ ...call, model: 'opus' }, noon).kind).toBe('spent');
    expect(budgets.admit(call, noon).kind).toBe('go');
  });
});

describe('a warning', () => {
  function marksOf(amounts: readonly number[]): readonly (readonly number[])[] {
    const budgets = createBudgets([budget('tokens', 100)], options);
    return amounts.map((tokens) => {
      budgets.note(call, spentCall(tokens), noon);
      const answer = budgets.admit(call, noon);
      return answer.kind === 'go' ? answer.warnings.map(({ percent }) => percent) : [-1];
    });
  }

  test('comes at 80, 90 and 95 %, once', () => {
    expect(marksOf([79, 1, 9, 1, 4, 1, 4, 1])).toEqual([[], [80], [], [90], [], [95], [], [-1]]);
  });

  test('is the highest one where several are passed at once', () => {
    expect(marksOf([85, 11, 1])).toEqual([[80], [95], []]);
    expect(marksOf([96, 1])).toEqual([[95], []]);
  });

  test('is one line with the remedy', () => {
    const budgets = createBudgets([budget('usd', 5, { name: 'te"am\n\u202e' })], options);
    budgets.note(call, spentCall(1, 4.151), noon);
    const answer = budgets.admit(call, noon);
    expect(answer).toEqual({
      kind: 'go',
      warnings: [
        {
          budget: 'te"am\n\u202e',
          percent: 80,
          message: `Budget "te'am\\u{a}\\u{202e}": 4.15 USD of 5.00 USD today (UTC) are used, at least 80 %. Do the most important work first and keep calls small: when it is spent, calls are refused.`,
        },
      ],
    });
  });

  test('of requests comes with the request that reaches it, and again in the next window', () => {
    const budgets = createBudgets([budget('requests', 5)], options);
    const marks = (now: Date): readonly number[] =>
      Array.from({ length: 5 }, () => budgets.admit(call, now)).flatMap((answer) =>
        answer.kind === 'go' ? answer.warnings.map(({ percent }) => percent) : [-1],
      );
    expect(marks(noon)).toEqual([80, 95]);
    expect(marks(noon)).toEqual([-1, -1, -1, -1, -1]);
    expect(marks(new Date('2026-11-23T00:00:00Z'))).toEqual([80, 95]);
  });

  test('comes for each budget of its own', () => {
    const budgets = createBudgets(
      [
        budget('tokens', 100, { name: 'one' }),
        budget('tokens', 10, { name: 'two' }),
        budget('usd', 50, { name: 'three' }),
      ],
      options,
    );
    budgets.note(call, spentCall(9, 45), noon);
    const answer = budgets.admit(call, noon);
    expect(answer.kind === 'go' && answer.warnings.map(({ budget, percent }) => [budget, percent])).toEqual([
      ['two', 90],
      ['three', 90],
    ]);
  });

  test('is never given twice, and never after a higher one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(12), { maxLength: 40 }), (amounts) => {
        const marks = marksOf(amounts)
          .flat()
          .filter((mark) => mark > 0);
        expect(marks).toEqual([...new Set(marks)].sort((one, other) => one - other));
        const sum = amounts.reduce((total, one) => total + one, 0);
        if (sum >= 80 && sum < 100) expect(marks.at(-1)).toBe([95, 90, 80].find((mark) => sum >= mark));
      }),
    );
  });
});

describe('the journal’s content', () => {
  test('is counted', () => {
    const spent = [record({ usd: 2 }), record({ session: 's-2', usd: 2 }), record({ usd: 0.9 })];
    expect(createBudgets([budget('usd', 4.9)], { ...options, spent }).admit(call, noon).kind).toBe('spent');
    expect(createBudgets([budget('usd', 5)], { ...options, spent }).admit(call, noon).kind).toBe('go');
    expect(createBudgets([budget('requests', 3)], { ...options, spent }).admit(call, noon).kind).toBe('spent');
  });

  test('is not warned of again', () => {
    const budgets = createBudgets([budget('tokens', 100)], { ...options, spent: [record({ usage: usageOf(91) })] });
    expect(budgets.admit(call, noon)).toEqual({ kind: 'go', warnings: [] });
    budgets.note(call, spentCall(4), noon);
    expect(budgets.admit(call, noon)).toMatchObject({ warnings: [{ percent: 95 }] });
  });

  test('of another session does not affect a session’s budget', () => {
    const spent = [record({ session: 's-2', usd: 100 }), record({ at: '2020-01-01T00:00:00Z', usd: 1 })];
    const budgets = createBudgets([budget('usd', 1.5, { over: 'session' })], { ...options, spent });
    expect(budgets.admit(call, noon).kind).toBe('go');
    budgets.note(call, spentCall(1, 0.5), noon);
    expect(budgets.admit(call, noon)).toEqual({
      kind: 'spent',
      budget: 'b',
      message: 'Budget "b" is spent: 1.50 USD of 1.50 USD in this session.',
      remedy: 'stop here and tell the user: a higher limit in the policy or a new session goes on',
    });
  });

  test.each([
    ['2026-11-21T23:59:59.999Z', 'go'],
    ['2026-11-22T00:00:00.000Z', 'spent'],
    ['2026-11-22T01:00:00+02:00', 'go'],
    ['2099-01-01T00:00:00Z', 'spent'],
    ['no time', 'spent'],
  ])('at %s: %s', (at, kind) => {
    expect(createBudgets([budget('usd', 1)], { ...options, spent: [record({ at })] }).admit(call, noon).kind).toBe(
      kind,
    );
  });

  test('may be added to while the session runs', () => {
    const budgets = createBudgets([budget('usd', 2), budget('usd', 2, { over: 'session' })], options);
    budgets.add(record({ session: 's-2', usd: 2 }), noon);
    expect(budgets.admit(call, noon)).toMatchObject({ kind: 'spent', message: expect.stringContaining('today') });
  });
});

describe('a window', () => {
  test.each([
    ['day', '2026-11-22T23:59:59.999Z', '2026-11-23T00:00:00.000Z'],
    ['day', '2028-02-28T23:59:59.999Z', '2028-02-29T00:00:00.000Z'],
    ['day', '2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00.000Z'],
    ['day', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
    ['month', '2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z'],
    ['month', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
    ['month', '2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00.000Z'],
    ['month', '2027-02-28T23:59:59.999Z', '2027-03-01T00:00:00.000Z'],
  ] as const)('of a %s ends after %s', (over, last, next) => {
    const budgets = createBudgets([budget('tokens', 10, { over })], { ...options, now: new Date(last) });
    budgets.note(call, spentCall(10), new Date(last));
    const answer = budgets.admit(call, new Date(last));
    expect(answer).toMatchObject({
      kind: 'spent',
      until: new Date(next),
      remedy: expect.stringContaining(`${next.slice(0, 16)} UTC`),
    });
    expect(budgets.admit(call, new Date(next)).kind).toBe('go');
  });

  test.each(['day', 'month'] as const)('of a finished %s stays over when the clock is set back', (over) => {
    const budgets = createBudgets([budget('tokens', 10, { over })], options);
    const later = new Date('2026-12-01T00:00:00Z');
    budgets.note(call, spentCall(10), later);
    expect(budgets.admit(call, noon).kind).toBe('spent');
    expect(budgets.admit(call, new Date(0)).kind).toBe('spent');
    expect(budgets.admit(call, new Date(Number.NaN)).kind).toBe('spent');
    expect(budgets.admit(call, later).kind).toBe('spent');
    expect(budgets.admit(call, new Date('2027-01-01T00:00:00Z')).kind).toBe('go');
  });

  test.each([
    ['day', '2026-11-15T12:00:00Z', '2026-11-16T00:00:00Z'],
    ['month', '2026-11-30T12:00:00Z', '2026-12-01T00:00:00Z'],
  ] as const)('of a %s is that of UTC, wherever the machine is', (over, from, to) => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Pacific/Kiritimati';
    try {
      const [start, end] = [new Date(from), new Date(to)];
      expect(start.getDate()).toBe(end.getUTCDate());
      const budgets = createBudgets([budget('tokens', 10, { over })], { ...options, now: start });
      budgets.note(call, spentCall(10), start);
      expect(budgets.admit(call, new Date(end.getTime() - 1))).toMatchObject({ kind: 'spent', until: end });
      expect(budgets.admit(call, end).kind).toBe('go');
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  test('that begins again has no calls in it that told nothing', () => {
    const budgets = createBudgets([budget('tokens', 10)], options);
    budgets.note(call, { cost: { kind: 'unknown', table: 't' }, status: 200 }, noon);
    const next = new Date('2026-11-23T00:00:00Z');
    budgets.note(call, spentCall(10), next);
    expect(budgets.admit(call, next)).toMatchObject({
      message: 'Budget "b" is spent: 10 tokens of 10 tokens today (UTC).',
    });
  });

  test('of a session never ends', () => {
    const budgets = createBudgets([budget('tokens', 10, { over: 'session' })], options);
    budgets.note(call, spentCall(10), noon);
    expect(budgets.admit(call, new Date(8.64e15)).kind).toBe('spent');
  });

  test('takes a call that ends in it, also where it began before', () => {
    const budgets = createBudgets([budget('tokens', 10)], options);
    budgets.admit(call, new Date('2026-11-22T23:59:59.999Z'));
    budgets.note(call, spentCall(10), new Date('2026-11-23T00:00:00.000Z'));
    expect(budgets.admit(call, new Date('2026-11-23T23:59:59.999Z')).kind).toBe('spent');
  });

  test('of any day holds exactly its spending', () => {
    const hour = fc.integer({ min: 0, max: 24 * 70 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(hour, fc.nat(5)), { maxLength: 40 }),
        fc.constantFrom('day' as const, 'month' as const),
        (calls, over) => {
          const sorted = calls.toSorted(([one], [other]) => one - other);
          const start = new Date('2027-12-30T00:00:00Z');
          const budgets = createBudgets([budget('tokens', 10, { over })], { ...options, now: start });
          const sums = new Map<string, number>();
          for (const [hours, tokens] of sorted) {
            const now = new Date(start.getTime() + hours * 3_600_000);
            const name = now.toISOString().slice(0, over === 'day' ? 10 : 7);
            expect(budgets.admit(call, now).kind).toBe((sums.get(name) ?? 0) >= 10 ? 'spent' : 'go');
            budgets.note(call, spentCall(tokens), now);
            sums.set(name, (sums.get(name) ?? 0) + tokens);
          }
        },
      ),
    );
  });
});
