import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { appendEvents, type ModelEvent } from '../../audit/index.ts';
import { freshJournal } from '../../audit/testing/scratch.ts';
import type { CallRecord, ModelCall } from '../index.ts';
import { callsOfOthers, createSpending } from './spending.ts';
import { settingsOf } from './testing/gateway.ts';

const call: ModelCall = {
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  operation: 'generate',
  model: 'claude-sonnet-4-5',
};
const usage = { uncachedInput: 5, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 5, reasoning: 0 };
const limited = (kind: 'requests' | 'tokens', most: number, name = 'b') =>
  settingsOf({ budgets: [{ name, limit: { kind, most }, over: 'session', providers: [], models: [] }] });
const open = (now = () => 1_750_000_000_000) =>
  createSpending({ session: 'own', ofOthers: () => ({ spent: [], more: () => [] }), now });

test('a changed policy forgets no request, not even a running or failed one', () => {
  const spending = open();
  spending.admit(call, limited('requests', 5));
  expect(spending.admit(call, limited('requests', 1, 'other')).kind).toBe('refused');
});

test('a policy that changes forgives no token', () => {
  const spending = open();
  spending.admit(call, limited('tokens', 100));
  spending.note(call, { usage, status: 200, completeness: 'complete', toolCalls: [] }, limited('tokens', 100));
  expect(spending.admit(call, limited('tokens', 10)).kind).toBe('refused');
  expect(spending.admit(call, limited('tokens', 11)).kind).toBe('go');
});

test('a policy that changes forgives no request of this minute', () => {
  let time = 1_750_000_000_000;
  const spending = open(() => time);
  spending.admit(call, settingsOf());
  const one = settingsOf({ rates: [{ providers: [], requestsPerMinute: 1 }] });
  expect(spending.admit(call, one)).toMatchObject({ kind: 'refused', code: 'rate-limited', status: 429 });
  time += 60_000;
  expect(spending.admit(call, one).kind).toBe('go');
});

test('refused calls count for nothing', () => {
  const spending = open();
  for (let turn = 0; turn < 3; turn += 1) spending.admit(call, limited('requests', 1));
  expect(spending.admit(call, limited('requests', 2)).kind).toBe('go');
});

test('a model without a price is refused where money is counted', () => {
  const usd = settingsOf({
    budgets: [{ name: 'money', limit: { kind: 'usd', most: 1 }, over: 'session', providers: [], models: [] }],
  });
  expect(open().admit({ ...call, provider: 'own', model: 'nobody-knows' }, usd)).toMatchObject({
    code: 'budget-unpriced',
    status: 403,
  });
});

test('another session’s use counts with the next call, once, and never for a session', () => {
  const record: CallRecord = {
    at: new Date(1_750_000_000_000).toISOString(),
    session: 'other',
    workspace: '/w',
    provider: 'anthropic',
    dialect: 'anthropic-messages',
    usage,
    usd: 1,
    table: 't',
    completeness: 'complete',
    status: 200,
    milliseconds: 1,
    toolCalls: 0,
  };
  const coming: CallRecord[][] = [[], [record], [{ ...record, status: 0 }]];
  const spending = createSpending({
    session: 'own',
    ofOthers: () => ({ spent: [], more: () => coming.shift() ?? [] }),
    now: () => 1_750_000_000_000,
  });
  const daily = settingsOf({
    budgets: (['day', 'session'] as const).map((over) => ({
      name: over,
      limit: { kind: 'tokens', most: 20 },
      over,
      providers: [],
      models: [],
    })),
  });
  expect(Array.from({ length: 3 }, () => spending.admit(call, daily).kind)).toEqual(['go', 'go', 'refused']);
  expect(spending.admit(call, daily)).toMatchObject({
    message: expect.stringContaining('Budget "day" is spent: 20 tokens of 20'),
  });
});

test('of two prices for a model, the first counts', () => {
  const price = (input: number) => ({ models: ['own-*'], input, output: 0 });
  const settings = settingsOf({ prices: [price(1e6), price(2e6)] });
  const own: ModelCall = { ...call, provider: 'own', model: 'own-model' };
  expect(open().note(own, { usage, status: 200, completeness: 'complete', toolCalls: [] }, settings)).toMatchObject({
    kind: 'priced',
    usd: 5,
  });
});

const called = (session: string, model: string, more: Partial<ModelEvent> = {}): ModelEvent => ({
  type: 'model',
  session,
  workspace: '/w',
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  operation: 'generate',
  host: 'api.anthropic.com',
  port: 443,
  model,
  status: 200,
  usd: 1,
  prices: 'test',
  completeness: 'complete',
  duration: 1,
  toolCalls: [],
  ...more,
});
const follow = (journal: string) => callsOfOthers(journal, { session: 'own', since: 0 });
const modelsOf = (records: readonly { readonly model?: string }[]): readonly (string | undefined)[] =>
  records.map(({ model }) => model);

test('others’ calls are reported once; own and refused ones never', () => {
  const journal = freshJournal();
  appendEvents(journal, [
    called('other', 'a'),
    called('own', 'b'),
    called('other', 'c', { refusal: { code: 'dlp', message: '' } }),
  ]);
  const { spent, more } = follow(journal);
  expect(modelsOf(spent)).toEqual(['a']);
  expect(more()).toEqual([]);
  appendEvents(journal, [called('third', 'd'), called('own', 'e'), called('other', 'f', { operation: 'count' })]);
  expect(modelsOf(more())).toEqual(['d']);
  expect(more()).toEqual([]);
});

test('a journal that begins only then is read from its beginning', () => {
  const journal = freshJournal();
  const { spent, more } = follow(journal);
  expect([spent, more()]).toEqual([[], []]);
  appendEvents(journal, [called('other', 'a')]);
  expect(modelsOf(more())).toEqual(['a']);
});

test('calls during a rotation are reported once', () => {
  const journal = freshJournal();
  appendEvents(journal, [called('other', 'a')]);
  const { more } = follow(journal);
  for (const model of ['b', 'c', 'd']) appendEvents(journal, [called('other', model)], { rotateAt: 1 });
  expect(modelsOf(more())).toEqual(['b', 'c', 'd']);
  appendEvents(journal, [called('other', 'e')], { rotateAt: 1 });
  expect(modelsOf(more())).toEqual(['e']);
});

/** Written by another version, or damaged. */
test.each([
  { toolCalls: undefined },
  { tokens: null },
  { tokens: 'many' },
  { provider: undefined },
  { status: 'ok' },
  { usd: '1' },
])('an unreadable entry, as %j, counts as the dearest call and stops nobody', (change) => {
  const journal = freshJournal();
  const odd = { ...called('other', 'b', { tokens: usage }), ...change } as unknown as ModelEvent;
  appendEvents(journal, [called('other', 'a', { tokens: usage }), odd]);
  const daily = settingsOf({
    budgets: [{ name: 'b', limit: { kind: 'tokens', most: 35 }, over: 'month', providers: [], models: [] }],
  });
  const spending = createSpending({ session: 'own', ofOthers: () => follow(journal), now: Date.now });
  expect(spending.admit(call, daily).kind).toBe('go');
  appendEvents(journal, [odd]);
  expect(spending.admit(call, daily).kind).toBe('go');
  appendEvents(journal, [odd]);
  expect(spending.admit(call, daily).kind).toBe('refused');
});

test('half an entry is reported when complete', () => {
  const journal = freshJournal();
  appendEvents(journal, [called('other', 'a')]);
  const { more } = follow(journal);
  const line = JSON.stringify({
    v: 2,
    seq: 9,
    time: '2026-11-22T12:00:00.000Z',
    prev: '',
    ...called('other', 'b'),
  }).slice(0, -1);
  appendFileSync(journal, line.slice(0, 80));
  expect(more()).toEqual([]);
  appendFileSync(journal, `${line.slice(80)},"mac":"${'0'.repeat(64)}"}\n`);
  expect(modelsOf(more())).toEqual(['b']);
});
