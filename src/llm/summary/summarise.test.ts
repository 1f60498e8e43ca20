import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { record, usageOf } from '../budget/testing/calls.ts';
import type { CallRecord } from '../types.ts';
import { groupCalls, rowsOf, summarise, totalOf } from './summarise.ts';
import type { Dimension } from './usage-json.ts';

const everything: readonly Dimension[] = ['session', 'agent', 'model', 'provider', 'repository', 'day'];

function keysOf(calls: readonly CallRecord[], by: readonly Dimension[]): readonly string[] {
  return summarise(calls, by).map(({ key }) => key.map(({ value }) => value ?? '-').join(' '));
}

describe('the sum of calls', () => {
  test('has each class of tokens, and unknown costs', () => {
    const usage = { uncachedInput: 1, cacheRead: 2, cacheWrite5m: 4, cacheWrite1h: 8, output: 32, reasoning: 16 };
    const { usage: _, ...untold } = record({ usd: null, completeness: 'partial' });
    const calls = [
      record({ usage, usd: 0.1, toolCalls: 2 }),
      record({ usage, usd: 0.2, table: 'policy', toolCalls: 3 }),
      record({ usage, usd: null }),
      untold,
      record({ usd: null, status: 529, usage: usageOf(0) }),
      record({ usd: null, status: 0, usage: usageOf(0), completeness: 'partial' }),
    ];
    expect(summarise(calls, [])).toEqual([
      {
        key: [],
        calls: 6,
        failed: 2,
        partial: 2,
        toolCalls: 5,
        uncachedInput: 3,
        cacheRead: 6,
        cacheWrite5m: 12,
        cacheWrite1h: 24,
        output: 96,
        reasoning: 48,
        usd: 0.3,
        unpriced: 2,
        untold: 1,
        tables: ['policy', 'test'],
      },
    ]);
  });

  test('of calls without a price is not 0', () => {
    expect(summarise([record({ usd: null }), record({ usd: null })], [])).toMatchObject([
      { usd: null, unpriced: 2, tables: [] },
    ]);
    expect(summarise([record({ usd: 0 })], [])).toMatchObject([{ usd: 0, unpriced: 0 }]);
  });

  test('of no calls has no rows', () => {
    expect(summarise([], [])).toEqual([]);
    expect(summarise([], everything)).toEqual([]);
  });

  test('skips invalid counts and costs', () => {
    const strange = record({
      usage: { ...usageOf(Number.NaN), output: -5, cacheRead: 1e300 },
      usd: Number.NaN,
      toolCalls: -1,
    });
    expect(
      summarise([strange, record({ usage: usageOf(7), usd: -1 }), record({ usage: usageOf(7), usd: 2 })], []),
    ).toMatchObject([{ uncachedInput: 14, output: 0, cacheRead: 0, usd: 2, unpriced: 2, toolCalls: 0 }]);
  });
});

describe('rows', () => {
  test.each([
    ['session', 's-2 s-1'],
    ['agent', 'codex -'],
    ['model', 'm-2 m-1'],
    ['provider', 'openai anthropic'],
    ['repository', '/x /w'],
  ] as const)('by %s are one for each', (by, values) => {
    const calls = [
      record({ model: 'm-1' }),
      record({ session: 's-2', agent: 'codex', model: 'm-2', provider: 'openai', workspace: '/x', usd: 9 }),
      record({ model: 'm-1' }),
    ];
    expect(keysOf(calls, [by]).join(' ')).toBe(values);
    expect(summarise(calls, [by]).map(({ calls: count }) => count)).toEqual([1, 2]);
  });

  test('by day are those of UTC, in order, and the dearest first in each', () => {
    const calls = [
      record({ at: '2026-11-23T00:30:00+01:00', model: 'a', usd: 1 }),
      record({ at: '2026-11-21T12:00:00Z', model: 'b' }),
      record({ at: '2026-11-22T00:00:00Z', model: 'c', usd: 2 }),
      record({ at: 'then', model: 'd' }),
    ];
    expect(keysOf(calls, ['day', 'model'])).toEqual(['- d', '2026-11-21 b', '2026-11-22 c', '2026-11-22 a']);
    expect(keysOf(calls, ['model', 'day'])).toEqual(['d -', 'b 2026-11-21', 'c 2026-11-22', 'a 2026-11-22']);
  });

  test('without a cost come last', () => {
    expect(
      keysOf(
        [record({ model: 'a', usd: null }), record({ model: 'b', usd: 0 }), record({ model: 'c', usd: 1 })],
        ['model'],
      ),
    ).toEqual(['c', 'b', 'a']);
  });

  test('of the same cost keep their order', () => {
    expect(
      keysOf([record({ model: 'a' }), record({ model: 'b', usage: { ...usageOf(1), output: 5 } })], ['model']),
    ).toEqual(['b', 'a']);
  });

  test('of names that look alike when joined stay apart', () => {
    const calls = [
      record({ session: 'a b', model: 'c' }),
      record({ session: 'a', model: 'b c' }),
      record({ session: 'a","b', model: 'c' }),
      record({ session: 'a', model: 'b","c' }),
    ];
    expect(summarise(calls, ['session', 'model'])).toHaveLength(4);
    const { model: _, ...unnamed } = record();
    expect(
      summarise([unnamed, record({ model: 'null' }), record({ model: '' }), record({ model: '__proto__' })], ['model']),
    ).toHaveLength(4);
  });

  test('have all calls between them, whatever they are by, in any order of the calls', () => {
    const call = fc.record({
      session: fc.constantFrom('a', 'b'),
      provider: fc.constantFrom('x', 'y'),
      at: fc.constantFrom('2026-11-22T00:00:00Z', '2026-11-23T00:00:00Z', ''),
      usd: fc.option(fc.nat(100)),
      status: fc.constantFrom(0, 200, 500),
    });
    fc.assert(
      fc.property(fc.array(call), fc.uniqueArray(fc.constantFrom(...everything)), (some, by) => {
        const calls = some.map((one) => record({ ...one, usage: usageOf(3) }));
        const rows = summarise(calls, by);
        expect(rows.reduce((sum, row) => sum + row.calls, 0)).toBe(calls.length);
        expect(rows.reduce((sum, row) => sum + row.uncachedInput, 0)).toBe(3 * calls.length);
        expect(rows.reduce((sum, row) => sum + (row.usd ?? 0), 0)).toBe(
          calls.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
        );
        expect(rows.reduce((sum, row) => sum + row.unpriced, 0)).toBe(
          calls.filter(({ usd, status }) => usd === null && status === 200).length,
        );
        expect(summarise(calls.toReversed(), by)).toEqual(rows);
        const parts = [calls.slice(0, 3), calls.slice(3)].map((part) => groupCalls(part, by));
        expect(rowsOf(parts)).toEqual(rows);
        expect(totalOf(parts)).toEqual(summarise(calls, [])[0]);
      }),
    );
  });
});
