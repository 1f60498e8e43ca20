import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JournalEntry, ModelEvent } from '../../audit/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { summarise } from '../../llm/index.ts';
import { recordOf } from '../../llm/session/read-calls.ts';
import type { LlmSettings } from '../../policy/llm/types.ts';
import { HeldCalls } from './held-calls.ts';
import { spanOf } from './hours.ts';
import { groupings, ranges, type UsageQuery, type UsageReport } from './types.ts';
import { UsageAnswers } from './usage.ts';

const now = Date.parse('2026-11-22T12:30:00Z');
const day = 86_400_000;
const query: UsageQuery = { range: 'month', by: 'model' };
const tokens = { uncachedInput: 100, cacheRead: 20, cacheWrite5m: 3, cacheWrite1h: 4, output: 50, reasoning: 5 };
const call: ModelEvent = {
  type: 'model',
  session: 's-1',
  workspace: '/w',
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  operation: 'generate',
  host: 'a',
  port: 443,
  model: 'm-1',
  agent: 'claude',
  status: 200,
  tokens,
  usd: 1.5,
  prices: 'p',
  completeness: 'complete',
  duration: 1,
  toolCalls: [],
};
const { tokens: _, ...untold } = call;

function entry(event: object, time = now): JournalEntry {
  return { ...event, v: 2, seq: 1, time: new Date(time).toISOString(), prev: '', mac: '' } as unknown as JournalEntry;
}

function heldOf(...entries: readonly JournalEntry[]): HeldCalls {
  const held = new HeldCalls();
  for (const one of entries) held.add(one, now);
  return held;
}

function report(
  entries: readonly JournalEntry[],
  asked: Partial<UsageQuery> = {},
  budgets: LlmSettings['budgets'] = [],
): Promise<UsageReport> {
  return new UsageAnswers(async () => ({ budgets })).report(heldOf(...entries), { ...query, ...asked }, now);
}

describe('the sums', () => {
  test('are those of the command line, whatever they are by and of', async () => {
    const some = fc.record({
      hours: fc.nat(24 * 40),
      provider: fc.constantFrom('a', 'b'),
      model: fc.constantFrom('m', 'n'),
      agent: fc.constantFrom('x', 'y'),
      session: fc.constantFrom('s', 't'),
      usd: fc.option(fc.nat(9)),
      status: fc.constantFrom(200, 500),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(some, { maxLength: 12 }),
        fc.constantFrom(...ranges),
        fc.constantFrom(...groupings),
        async (calls, range, by) => {
          const entries = calls.map(({ hours, ...fields }) => entry({ ...call, ...fields }, now - hours * 3_600_000));
          const answer = await report(entries, { range, by });
          const records = entries.filter(({ time }) => time >= answer.since).map((one) => recordOf(one as never));
          const rows = summarise(records, answer.columns as never);
          expect(answer.rows.map(({ names, calls: count, output }) => [...names, count, output])).toEqual(
            rows.map(({ key, calls: count, output }) => [...key.map(({ value }) => value), count, output]),
          );
          expect(answer.chart.buckets.reduce((sum, { calls: count }) => sum + count, 0)).toBe(records.length);
          expect(answer.chart.buckets.reduce((sum, { usd }) => sum + (usd ?? 0), 0)).toBe(
            summarise(records, [])[0]?.usd ?? 0,
          );
        },
      ),
    );
  });

  test('of session budgets cover the last three', async () => {
    const entries = [5, 1, 4, 2, 3].map((age) => entry({ ...call, session: `s-${age}` }, now - age * 60_000));
    const { budgets } = await report(entries, {}, [
      { name: 'b', limit: { kind: 'requests', most: 5 }, over: 'session', providers: [], models: [] },
    ]);
    expect(budgets.kind === 'known' && budgets.lines.map(({ session }) => session)).toEqual(['s-1', 's-2', 's-3']);
  });

  test('go on with the clock where nothing comes', async () => {
    const held = heldOf(entry(call));
    const answers = new UsageAnswers(async () => ({ budgets: [] }));
    const buckets = async (at: number): Promise<number> =>
      (await answers.report(held, { ...query, range: 'today' }, at)).chart.buckets.length;
    expect([await buckets(now), await buckets(now + 3_600_000)]).toEqual([13, 14]);
  });

  test('follow new calls, in a counted hour and in a new one', async () => {
    const held = heldOf(entry(call));
    const answers = new UsageAnswers(async () => ({ budgets: [] }));
    const calls = async (): Promise<unknown> => (await answers.report(held, query, now)).total?.calls;
    expect(await calls()).toBe(1);
    held.add(entry(call), now);
    expect(await calls()).toBe(2);
    held.add(entry(call, now - day), now);
    expect(await calls()).toBe(3);
  });

  test('have as many rows as someone reads, and say how many more there are', async () => {
    const { rows, omitted, total } = await report(
      Array.from({ length: 130 }, (_each, index) => entry({ ...call, model: `m-${index}` })),
    );
    expect([rows.length, omitted, total?.calls]).toEqual([100, 30, 130]);
  });

  test('without calls are missing', async () => {
    expect(await report([])).toMatchObject({
      rows: [],
      refused: [],
      found: [],
      unread: 0,
      cut: 'all-there',
      budgets: { kind: 'known', lines: [] },
    });
    expect(await report([])).not.toHaveProperty('total');
  });
});

describe('an unknown value', () => {
  test('is no 0 in a chart: a gap where nothing is known, and counted where something is', async () => {
    const { chart } = await report(
      [
        entry({ ...untold, usd: null }),
        entry(call, now - day),
        entry({ ...untold, usd: null }, now - day),
        entry({ ...untold, usd: null, status: 500 }, now - 2 * day),
      ],
      { range: '7d' },
    );
    const shown = chart.buckets
      .slice(3)
      .map(({ tokens: sums, usd, cost, untold: without, unpriced }) => [
        sums?.output ?? null,
        without,
        usd,
        cost,
        unpriced,
      ]);
    expect(shown).toEqual([
      [0, 0, 0, '', 0],
      [0, 0, 0, '', 0],
      [50, 1, 1.5, '1.50 + ?', 1],
      [null, 1, null, '?', 1],
    ]);
  });

  test('is ? in the table', async () => {
    const { rows, total } = await report([entry({ ...call, usd: null }), entry({ ...call, model: 'm-2' })]);
    expect(rows.map(({ cost }) => cost)).toEqual(['1.50', '?']);
    expect(total?.cost).toBe('1.50 + ?');
  });

  test('is said of events that cannot be read', async () => {
    const broken = [
      { ...call, tokens: 'x' },
      { ...call, provider: 3 },
      { type: 'dlp', rule: 'keys', decision: 'block', found: null },
      { ...call, refusal: 'no' },
    ];
    expect(await report([entry(call), ...broken.map((one) => entry(one))])).toMatchObject({
      unread: 4,
      total: { calls: 1 },
    });
  });
});

test('finds and refusals are counted by kind, most first', async () => {
  const find = {
    type: 'dlp',
    session: 's-1',
    workspace: '/w',
    host: 'a',
    port: 443,
    path: '/',
    rule: 'keys',
    decision: 'tokenize',
    found: { 'github-token': 2, odd: Number.NaN },
  };
  const refused = { ...call, refusal: { code: 'budget-spent', message: 'no' } };
  const answer = await report([
    entry(find),
    entry({ ...find, found: { 'github-token': 3 } }),
    entry(find, now - 40 * day),
    entry(refused),
    entry(refused),
    entry({ ...refused, refusal: { code: 'dlp', message: '' } }),
  ]);
  expect(answer.found).toEqual([
    { names: ['keys', 'tokenize', 'github-token'], count: 5 },
    { names: ['keys', 'tokenize', 'odd'], count: 0 },
  ]);
  expect(answer.refused).toEqual([
    { names: ['budget-spent'], count: 2 },
    { names: ['dlp'], count: 1 },
  ]);
  expect(answer.total).toBeUndefined();
});

test('names are shown, never meant: nothing hidden is in them, and they have an end', async () => {
  const hostile = `\u202e\u0000\u001b[2J<img src=x>${'x'.repeat(100_000)}`;
  const find = {
    type: 'dlp',
    session: 's',
    workspace: '/w',
    rule: hostile,
    decision: hostile,
    found: { [hostile]: 1 },
  };
  const text = JSON.stringify(
    await report([
      entry({ ...call, model: hostile, provider: hostile }),
      entry(find),
      entry({ ...call, refusal: { code: hostile, message: hostile } }),
    ]),
  );
  expect(text).not.toMatch(/[\p{Cf}\p{Cc}]|\\u00|x{500}/u);
  expect(text.length).toBeLessThan(20_000);
});

describe('budgets', () => {
  const budget = (over: 'session' | 'day' | 'month', most: number): LlmSettings['budgets'][number] => ({
    name: over,
    limit: { kind: 'usd', most },
    over,
    providers: [],
    models: [],
  });

  test('are of their own time, whatever range is shown, and those of sessions of the last ones', async () => {
    const entries = [
      entry(call),
      entry({ ...call, session: 's-2' }, now - 3_600_000),
      entry({ ...call, session: 's-2' }, now - 2 * day),
      entry({ ...call, session: 'old' }, now - 3 * day),
    ];
    const { budgets } = await report(entries, { range: 'today' }, [
      budget('day', 30),
      budget('month', 6),
      budget('session', 1.5),
    ]);
    expect(budgets).toMatchObject({
      lines: [
        { name: 'day', spent: 3, mark: 0 },
        { name: 'month', spent: 6, mark: 100 },
        { session: 's-1', spent: 1.5, mark: 100 },
        { session: 's-2', spent: 3, mark: 100 },
      ],
    });
  });

  test('of an unreadable policy are unknown, and the rest is there', async () => {
    const answers = new UsageAnswers(async () => {
      throw new HoldfastError('HF_POLICY_INVALID', 'no \u202e such', { remedy: 'mend it' });
    });
    expect(await answers.report(heldOf(entry(call)), query, now)).toMatchObject({
      total: { calls: 1 },
      budgets: { kind: 'unknown', message: expect.stringMatching(/^no [^\u202e]* such$/u), remedy: 'mend it' },
    });
  });
});

test('a range has whole days of UTC with today in it, and today has hours', () => {
  const first = (range: UsageQuery['range'], at = now): unknown => [
    new Date(spanOf(range, at).starts[0] ?? 0).toISOString().slice(0, 13),
    spanOf(range, at).starts.length,
  ];
  expect(ranges.map((range) => first(range))).toEqual([
    ['2026-11-22T00', 13],
    ['2026-11-16T00', 7],
    ['2026-10-24T00', 30],
    ['2026-11-01T00', 22],
  ]);
  expect(first('month', Date.parse('2026-12-01T00:00:00Z'))).toEqual(['2026-12-01T00', 1]);
});

test('calls older than any range are dropped', () => {
  expect(heldOf(entry(call, now - 33 * day)).version).toBe(0);
});
