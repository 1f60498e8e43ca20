import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { record, usageOf } from '../llm/budget/testing/calls.ts';
import { summarise } from '../llm/index.ts';
import { usageTable } from './usage-table.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const usage = {
  uncachedInput: 1234,
  cacheRead: 5_000_000,
  cacheWrite5m: 10,
  cacheWrite1h: 1,
  output: 999,
  reasoning: 0,
};
const calls = [
  record({ model: 'claude-opus-5', usage, usd: 12.345 }),
  record({ model: 'gpt-99', usage: usageOf(7), usd: null }),
  record({ model: 'gpt-5', usage: usageOf(1000), usd: 0.000_12 }),
  record({ model: 'gpt-5', usd: null, status: 500, usage: usageOf(0) }),
];
const rows = summarise(calls, ['model']);

/** The output at an ASCII terminal of this width. */
function shown(some: Parameters<typeof usageTable>[0], width: number): string {
  return usageTable(some, { reader: 'person', colours: 'plain', letters: 'ascii', width });
}

describe('the table of usage', () => {
  test('has a line for each row', () => {
    expect(shown(rows, 100)).toBe(
      [
        'MODEL          CALLS  FAILED  INPUT     CACHED  WRITTEN  OUTPUT       USD',
        'claude-opus-5      1          1 234  5 000 000       11     999     12.35',
        'gpt-5              2       1  1 000          0        0       0  0.000120',
        'gpt-99             1              7          0        0       0         ?',
        '?: the cost of 1 call is not known. Name prices under [[llm.prices]] in the policy.',
        '',
      ].join('\n'),
    );
  });

  test('drops columns where there is little room, and cuts names last', () => {
    expect(shown(rows, 40)).toBe(
      [
        'MODEL          INPUT  OUTPUT       USD',
        'claude-opus-5  1 234     999     12.35',
        'gpt-5          1 000       0  0.000120',
        'gpt-99             7       0         ?',
        '?: the cost of 1 call is not known. Name prices under [[llm.prices]] in the policy.',
        '',
      ].join('\n'),
    );
    expect(shown(rows, 35).split('\n').slice(0, 2)).toEqual([
      'MODEL       INPUT  OUTPUT       USD',
      'claude-...  1 234     999     12.35',
    ]);
  });

  test('shows that a sum is not all of the cost', () => {
    expect(shown(summarise(calls, []), 100)).toContain('12.35 + ?');
    expect(shown(summarise([record({ usd: null }), record({ usd: null })], []), 100)).toContain(
      '?: the cost of 2 calls is not known.',
    );
    expect(shown(summarise([record({ usd: 1 })], []), 100)).not.toContain('?');
  });

  test('says nothing to a terminal that a name has in it', () => {
    const table = shown(
      summarise([record({ model: '\u001b[31mred\u202e\nnew 世界', agent: 'a' })], ['model', 'agent', 'session']),
      120,
    );
    expect(table).toMatch(/^[ -~\n]*$/u);
    expect(table.split('\n')).toHaveLength(3);
    expect(table).toContain('\\u{1b}[31mred\\u{202e}\\u{a}new \\u{4e16}\\u{754c}');
  });

  test('is as wide as it may be, where that is not too narrow', () => {
    const name = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ model: name, session: name, agent: name, usd: fc.option(fc.nat(1e6)) }), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.integer({ min: 70, max: 160 }),
        (some, width) => {
          const lines = shown(
            summarise(
              some.map((one) => record(one)),
              ['model', 'session', 'agent'],
            ),
            width,
          ).split('\n');
          for (const line of lines.filter((one) => !one.startsWith('?:')))
            expect(line.length).toBeLessThanOrEqual(width);
        },
      ),
      { numRuns: rounds(60) },
    );
  });

  test.each([Number.NaN, 0, -5, 1, 1e9])('a width of %d still gives a table', (width) => {
    expect(shown(rows, width).split('\n').length).toBe(6);
  });
});
