import { costText } from '../llm/index.ts';
import type { UsageRow } from '../llm/summary/usage-json.ts';
import type { Look } from './terminal/look.ts';
import { type TableColumn, terminalTable } from './terminal/terminal-table.ts';

/** Returns rows for people. Names come from agents and servers, so all but printable ASCII is escaped in them. */
export function usageTable(rows: readonly UsageRow[], look: Look): string {
  const names = rows[0]?.key.map(
    ({ by }, index): TableColumn<UsageRow> => ({
      head: by.toUpperCase(),
      of: (row) => nameText(row, index),
      cut: 'end',
    }),
  );
  const kept = columns.filter(
    (column) => column.goes === undefined || rows.some((row) => !['', '0'].includes(column.of(row))),
  );
  return terminalTable(rows, [...(names ?? []), ...kept], { ...look, heads: 'always' }) + footer(rows);
}

function nameText({ key }: UsageRow, index: number): string {
  const value = key[index]?.value ?? null;
  return value === null ? '-' : plain(value);
}

function plain(name: string): string {
  return name
    .slice(0, 1000)
    .replaceAll(/[^ -~]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

function footer(rows: readonly UsageRow[]): string {
  const unpriced = rows.reduce((sum, row) => sum + row.unpriced, 0);
  return unpriced === 0
    ? ''
    : `?: the cost of ${unpriced} ${unpriced === 1 ? 'call' : 'calls'} is not known. Name prices under [[llm.prices]] in the policy.\n`;
}

const columns: readonly TableColumn<UsageRow>[] = [
  { head: 'CALLS', of: (row) => String(row.calls), align: 'right', goes: 6 },
  { head: 'FAILED', of: (row) => (row.failed === 0 ? '' : String(row.failed)), align: 'right', goes: 2 },
  { head: 'PARTIAL', of: (row) => (row.partial === 0 ? '' : String(row.partial)), align: 'right', goes: 1 },
  { head: 'INPUT', of: (row) => grouped(row.uncachedInput), align: 'right' },
  { head: 'CACHED', of: (row) => grouped(row.cacheRead), align: 'right', goes: 5 },
  { head: 'WRITTEN', of: (row) => grouped(row.cacheWrite5m + row.cacheWrite1h), align: 'right', goes: 4 },
  { head: 'OUTPUT', of: (row) => grouped(row.output), align: 'right' },
  { head: 'REASONING', of: (row) => grouped(row.reasoning), align: 'right', goes: 3 },
  { head: 'USD', of: costText, align: 'right' },
];

function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, ' ');
}
