import * as fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { appendEvents, type JournalEntry, type ModelEvent } from '../../audit/index.ts';
import { freshJournal } from '../../audit/testing/scratch.ts';
import { summarise } from '../index.ts';
import { isReadableCall, readModelCalls } from './read-calls.ts';

const tokens = { uncachedInput: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
const call: ModelEvent = {
  type: 'model',
  session: 's-1',
  workspace: '/w',
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  operation: 'generate',
  host: 'a',
  port: 443,
  status: 200,
  tokens,
  usd: 1,
  prices: 'p',
  completeness: 'complete',
  duration: 1,
  toolCalls: [],
};

function read(...events: readonly object[]) {
  const journal = freshJournal();
  appendEvents(journal, events as readonly ModelEvent[]);
  return readModelCalls(journal, 0);
}

describe('an incomplete entry', () => {
  test.each([
    { session: 5 },
    { provider: null },
    { tokens: null },
    { tokens: 'many' },
    { usd: '1' },
    { usd: undefined },
    { toolCalls: 3 },
    { model: {} },
    { agent: [] },
    { refusal: 'no' },
    { status: '200' },
  ])('%j is counted as unread', (change) => {
    const { records, unread } = read(call, { ...call, ...change });
    expect([records.length, unread]).toEqual([1, 1]);
  });

  test('is one whose time cannot be read', () => {
    const entry = { ...call, v: 2, seq: 1, time: '2026-11-22T12:00:00.000Z' } as unknown as JournalEntry;
    expect([entry, { ...entry, time: 'yesterday' }].map(isReadableCall)).toEqual([true, false]);
  });

  test('is counted for a broken line', () => {
    const journal = freshJournal();
    appendEvents(journal, [call, call]);
    writeFileSync(journal, `garbage\n{"v":2}\n${readFileSync(journal, 'utf8')}`);
    expect(readModelCalls(journal, 0)).toMatchObject({ records: [{ usd: 1 }, { usd: 1 }], unread: 2 });
  });

  test('is not a refused or free call', () => {
    expect(
      read(call, { ...call, refusal: { code: 'dlp', message: 'no' } }, { ...call, operation: 'count' }),
    ).toMatchObject({ records: [{}], unread: 0 });
  });
});

test('a readable entry can be summed, with any content', () => {
  const anything = fc.record(
    Object.fromEntries(
      [
        'session',
        'workspace',
        'provider',
        'dialect',
        'model',
        'agent',
        'tokens',
        'usd',
        'prices',
        'completeness',
        'status',
        'toolCalls',
      ].map((name) => [name, fc.oneof(fc.anything(), fc.constant(call[name as keyof ModelEvent]))]),
    ),
  );
  fc.assert(
    fc.property(anything, (fields) => {
      const entry = { ...call, ...fields, v: 2, seq: 1, time: '2026-11-22T12:00:00.000Z' } as unknown as JournalEntry;
      if (isReadableCall(entry))
        expect(
          summarise([{ ...call, ...fields, at: entry.time } as never], ['model', 'agent', 'session']),
        ).toHaveLength(1);
    }),
  );
});
