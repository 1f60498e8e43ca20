import { expect, test } from 'vitest';
import type { ModelCall } from '../../llm/index.ts';
import { createSpending } from './spending.ts';
import { settingsOf } from './testing/gateway.ts';

const call: ModelCall = { provider: 'anthropic', dialect: 'anthropic-messages', operation: 'generate', model: 'claude-sonnet-4-5' };
const usage = { uncachedInput: 5, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 5, reasoning: 0 };
const limited = (kind: 'requests' | 'tokens', most: number, name = 'b') => settingsOf({ budgets: [{ name, limit: { kind, most }, over: 'session', providers: [], models: [] }] });
const open = (now = () => 1_750_000_000_000) => createSpending({ session: 'own', spent: () => [], now });

test('a policy that changes forgives no request, not even one that is under way or has failed', () => {
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

test('what was refused counts for nothing', () => {
  const spending = open();
  for (let turn = 0; turn < 3; turn += 1) spending.admit(call, limited('requests', 1));
  expect(spending.admit(call, limited('requests', 2)).kind).toBe('go');
});

test('a model without a price is refused where money is counted', () => {
  const usd = settingsOf({ budgets: [{ name: 'money', limit: { kind: 'usd', most: 1 }, over: 'session', providers: [], models: [] }] });
  expect(open().admit({ ...call, provider: 'own', model: 'nobody-knows' }, usd)).toMatchObject({ code: 'budget-unpriced', status: 403 });
});
