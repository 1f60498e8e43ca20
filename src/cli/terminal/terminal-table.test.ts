import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../scripts/testing/extent.ts';
import { type Look, lookOf, signed } from './look.ts';
import { type TableColumn, terminalTable, shownWidth } from './terminal-table.ts';

const person: Look = { reader: 'person', colours: 'plain', letters: 'unicode', width: 60 };
const pipe: Look = { ...person, reader: 'pipe', width: Number.POSITIVE_INFINITY };

interface Row {
  readonly id: string;
  readonly state: 'held' | 'escaped';
  readonly size: number;
  readonly path: string;
}

const columns: readonly TableColumn<Row>[] = [
  { head: 'ID', of: ({ id }) => id },
  { head: 'STATE', of: ({ state }) => state, tone: ({ state }) => (state === 'held' ? 'allowed' : 'refused') },
  { head: 'SIZE', of: ({ size }) => String(size), align: 'right', goes: 1 },
  { head: 'PATH', of: ({ path }) => path, cut: 'start' },
];
const rows: readonly Row[] = [
  { id: 'a', state: 'held', size: 5, path: '/home/dev/app' },
  { id: 'bb', state: 'escaped', size: 12_000, path: `/home/dev/${'deep/'.repeat(10)}end` },
];

describe('a table', () => {
  test('has heads, signs and cut texts for a person', () => {
    expect(terminalTable(rows, columns, person)).toBe(
      [
        'ID    STATE     SIZE  PATH',
        'a   ✓ held         5  /home/dev/app',
        'bb  ✗ escaped  12000  …eep/deep/deep/deep/deep/deep/deep/end',
        '',
      ].join('\n'),
    );
  });

  test('has the words alone for a pipe, of which nothing is cut', () => {
    expect(terminalTable(rows, columns, pipe)).toBe(
      `a   held         5  /home/dev/app\nbb  escaped  12000  ${rows[1]?.path ?? ''}\n`,
    );
    expect(terminalTable(rows, columns, { ...pipe, heads: 'always' }).split('\n')[0]).toBe('ID  STATE     SIZE  PATH');
  });

  test('has other signs where the locale has no others, and colours only where they are wanted', () => {
    const ascii = terminalTable(rows, columns, { ...person, letters: 'ascii' });
    expect(ascii).toMatch(/^[ -~\n]*$/u);
    expect(ascii).toContain('+ held');
    expect(ascii).toContain('x escaped');
    expect(ascii).toContain('  ...');
    const coloured = terminalTable(rows, columns, { ...person, colours: 'coloured' });
    expect(coloured).toContain('\u001B[1mID\u001B[m');
    expect(coloured).toContain('\u001B[32m✓ held\u001B[m');
    expect(coloured).toContain('\u001B[31m✗ escaped\u001B[m');
    expect(coloured.replaceAll(/\p{Cc}\[[\d;]*m/gu, '')).toBe(terminalTable(rows, columns, person));
  });

  test('loses columns that may go before it cuts texts far', () => {
    expect(terminalTable(rows, columns, { ...person, width: 36 })).not.toContain('SIZE');
    expect(terminalTable(rows, columns, { ...person, width: 36 })).toContain('PATH');
  });

  test('shows the hidden characters of a cell, on one line', () => {
    const hostile = terminalTable(
      [{ id: 'a\u001B[2J', state: 'held', size: 1, path: 'x\u202Ey\nforged  line\tz\u0007' }],
      columns,
      { ...person, colours: 'coloured', width: 200 },
    );
    expect(hostile.split('\n')).toHaveLength(3);
    expect(hostile).toContain(String.raw`a\u{1b}[2J`);
    expect(hostile).toContain(String.raw`x\u{202e}y forged  line z\u{7}`);
    expect(hostile.replaceAll(/\p{Cc}\[[\d;]*m/gu, '')).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u);
  });

  test('is in line with letters of two columns and with marks', () => {
    const lines = terminalTable(
      ['世界', 'né', 'ascii'].map((id): Row => ({ id, state: 'held', size: 1, path: '/' })),
      columns,
      person,
    ).split('\n');
    expect(new Set(lines.slice(0, -1).map((line) => shownWidth(line.slice(0, line.search(/\/|PATH/u))))).size).toBe(1);
  });

  test('is as wide as the terminal at most, and each text is in it or cut', () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ id: text, path: text }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 40, max: 120 }),
        fc.constantFrom('unicode' as const, 'ascii' as const),
        (some, width, letters) => {
          const lines = terminalTable(
            some,
            [
              { head: 'ID', of: ({ id }) => id, cut: 'end' },
              { head: 'PATH', of: ({ path }) => path, cut: 'start' },
            ],
            { ...person, letters, width },
          ).split('\n');
          expect(lines).toHaveLength(some.length + 2);
          for (const line of lines) expect(shownWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
      { numRuns: rounds(60) },
    );
  });
});

describe('the look', () => {
  const stdout = { write: () => true };

  test('of anything but the terminal equals that of a pipe', () => {
    expect(lookOf({ stdout, environment: { LANG: 'de_DE.UTF-8' } })).toEqual(pipe);
    expect(signed('held', 'allowed', pipe)).toBe('held');
  });

  test.each([
    [{ LANG: 'C.UTF-8' }, 'unicode'],
    [{ LANG: 'en_US.utf8' }, 'unicode'],
    [{ LANG: 'C.UTF-8', LC_ALL: 'C' }, 'ascii'],
    [{ LANG: 'C', LC_CTYPE: 'de_DE.UTF-8' }, 'unicode'],
    [{ LANG: 'C.UTF-8', LC_ALL: '' }, 'unicode'],
    [{}, 'ascii'],
  ] as const)('of the letters follows the locale %j', (environment, letters) => {
    expect(lookOf({ stdout, environment })).toMatchObject({ letters });
  });
});
