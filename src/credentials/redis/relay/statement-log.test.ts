import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BrokerEvent } from '../../../egress/types.ts';
import type { RedisCommand } from '../commands/command.ts';
import { createStatementBudget, createStatementLog } from './statement-log.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const get: RedisCommand = { name: 'GET', access: 'read', key: 'first' };
const kill: RedisCommand = { name: 'CLIENT|KILL', access: 'never', key: 'none' };

function scene(perSecond: number) {
  const told: Extract<BrokerEvent, { kind: 'statement' }>[] = [];
  const budget = createStatementBudget(perSecond);
  const log = createStatementLog(budget, (statement) => void told.push(statement));
  return { told, budget, log };
}

test('a few are reported one by one, with their keys', () => {
  const { told, log } = scene(10);
  log.note(get, 'allow', 'a');
  log.note(kill, 'deny', undefined);
  log.note(undefined, 'deny', undefined);
  expect(told).toStrictEqual([
    { kind: 'statement', text: 'GET a', decision: 'allow', outcome: 'SENT' },
    { kind: 'statement', text: 'CLIENT KILL', decision: 'deny', outcome: 'DENIED' },
    { kind: 'statement', text: '(unknown command)', decision: 'deny', outcome: 'DENIED' },
  ]);
});

test('many are counted by name and decision, and told after a second', () => {
  const { told, log } = scene(1);
  for (let count = 0; count < 1000; count += 1) log.note(get, 'allow', undefined);
  for (let count = 0; count < 30; count += 1) log.note(undefined, 'deny', undefined);
  expect(log.wantsKey()).toBe(false);
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  expect(told.slice(1)).toStrictEqual([
    { kind: 'statement', text: 'GET', decision: 'allow', outcome: 'SENT', count: 999 },
    { kind: 'statement', text: '(unknown command)', decision: 'deny', outcome: 'DENIED', count: 30 },
  ]);
  expect(log.wantsKey()).toBe(true);
});

test('counted statements are reported at the end of the connection, once', () => {
  const { told, log } = scene(1);
  log.note(get, 'allow', 'a');
  log.note(get, 'allow', undefined);
  log.close();
  vi.advanceTimersByTime(5000);
  expect(told.map(({ count }) => count)).toStrictEqual([undefined, 1]);
});

test('connections share the room of a second', () => {
  const { budget, log } = scene(1);
  const other = createStatementLog(budget, () => undefined);
  other.note(get, 'allow', 'a');
  expect(log.wantsKey()).toBe(false);
});

test('a key shows no control characters', () => {
  const { told, log } = scene(1);
  log.note(get, 'allow', '\x1b[2J\r\nk\xff');
  expect(told[0]?.text).toMatch(/^GET \?\[2J\?\?k/u);
});
