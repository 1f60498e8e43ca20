import type { UsageRow } from './types.ts';

export interface Column {
  readonly name: string;
  readonly of: (row: UsageRow) => string;
  /** From 1: what goes first where a table is too wide. 0 stays. */
  readonly goes: number;
}

/** Of the table for people. */
export const columns: readonly Column[] = [
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

/** US dollars: `+ ?` where some of the calls have no known cost, `?` where none has. */
export function costText({ usd, unpriced }: UsageRow): string {
  if (usd === null) return unpriced === 0 ? '' : '?';
  const amount = usd > 0 && usd < 0.01 ? usd.toFixed(6) : usd.toFixed(2);
  return unpriced === 0 ? amount : `${amount} + ?`;
}

function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, ' ');
}
