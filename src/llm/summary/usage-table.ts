import type { UsageRow } from './usage-json.ts';

const gap = '  ';
/** Names are not cut below this. */
const shortestName = 8;
/** Columns go to leave this much of a name. */
const fairName = 20;

/**
 * Returns rows for people, in lines of at most `width` characters if possible. The least important columns go first,
 * then names are cut. Escapes everything except printable ASCII in names. They come from agents and servers, and a wide
 * character would move columns.
 */
export function usageTable(rows: readonly UsageRow[], width: number): string {
  if (rows.length === 0) return 'no calls to models\n';
  const names = rows.map(({ key }) => key.map(({ value }) => (value === null ? '-' : plain(value))));
  const titles = rows[0]?.key.map(({ by }) => by.toUpperCase()) ?? [];
  const kept = columnsFor(
    rows,
    width -
      titles.reduce((sum, _, index) => sum + Math.min(fairName, longest([titles, ...names], index)) + gap.length, 0),
  );
  const cells = [kept.map(({ name }) => name), ...rows.map((row) => kept.map((column) => column.of(row)))];
  const widths = kept.map((_, index) => longest(cells, index));
  const room = width - widths.reduce((sum, one) => sum + one + gap.length, 0);
  const nameWidths = fit([titles, ...names], room);
  const line = (name: readonly string[], cell: readonly string[]): string =>
    [
      ...name.map((text, index) => cut(text, nameWidths[index] ?? 0).padEnd(nameWidths[index] ?? 0)),
      ...cell.map((text, index) => text.padStart(widths[index] ?? 0)),
    ]
      .join(gap)
      .trimEnd();
  return [titles, ...names].map((name, index) => `${line(name, cells[index] ?? [])}\n`).join('') + footer(rows);
}

/** Empty columns always go. */
function columnsFor(rows: readonly UsageRow[], room: number): readonly Column[] {
  let kept = columns.filter((column) => column.goes === 0 || rows.some((row) => !['', '0'].includes(column.of(row))));
  while (widthOf(rows, kept) > room) {
    const [next] = kept.filter(({ goes }) => goes > 0).sort((one, other) => one.goes - other.goes);
    if (next === undefined) break;
    kept = kept.filter((column) => column !== next);
  }
  return kept;
}

function widthOf(rows: readonly UsageRow[], kept: readonly Column[]): number {
  return (
    kept.reduce(
      (sum, column) =>
        sum + gap.length + rows.reduce((most, row) => Math.max(most, column.of(row).length), column.name.length),
      0,
    ) - gap.length
  );
}

/** Shortens the widest of the names first. */
function fit(lines: readonly (readonly string[])[], room: number): readonly number[] {
  const widths = (lines[0] ?? []).map((_, index) => longest(lines, index));
  const over = (): number =>
    widths.reduce((sum, one) => sum + one, 0) + Math.max(0, widths.length - 1) * gap.length - room;
  for (let more = over(); more > 0; more = over()) {
    const widest = Math.max(...widths);
    if (widest <= shortestName) break;
    const second = Math.max(shortestName, ...widths.filter((one) => one < widest));
    widths[widths.indexOf(widest)] = Math.max(second, widest - more);
  }
  return widths;
}

function longest(lines: readonly (readonly string[])[], index: number): number {
  return lines.reduce((most, line) => Math.max(most, line[index]?.length ?? 0), 0);
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 3))}...`;
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

interface Column {
  readonly name: string;
  readonly of: (row: UsageRow) => string;
  /** From 1: order in which columns go if a table is too wide. 0 stays. */
  readonly goes: number;
}

/** Columns of the table for people. */
const columns: readonly Column[] = [
  { name: 'CALLS', of: (row) => String(row.calls), goes: 6 },
  { name: 'FAILED', of: (row) => (row.failed === 0 ? '' : String(row.failed)), goes: 2 },
  { name: 'PARTIAL', of: (row) => (row.partial === 0 ? '' : String(row.partial)), goes: 1 },
  { name: 'INPUT', of: (row) => grouped(row.uncachedInput), goes: 0 },
  { name: 'CACHED', of: (row) => grouped(row.cacheRead), goes: 5 },
  { name: 'WRITTEN', of: (row) => grouped(row.cacheWrite5m + row.cacheWrite1h), goes: 4 },
  { name: 'OUTPUT', of: (row) => grouped(row.output), goes: 0 },
  { name: 'REASONING', of: (row) => grouped(row.reasoning), goes: 3 },
  { name: 'USD', of: costText, goes: 0 },
];

/** US dollars: `+ ?` if some of the calls have no known cost, `?` if none has. */
export function costText({ usd, unpriced }: UsageRow): string {
  if (usd === null) return unpriced === 0 ? '' : '?';
  const amount = usd > 0 && usd < 0.01 ? usd.toFixed(6) : usd.toFixed(2);
  return unpriced === 0 ? amount : `${amount} + ?`;
}

function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, ' ');
}
