import type { CallRecord, Usage } from '../types.ts';
import type { UsageRow } from './types.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What the calls of one group have come to so far. */
export interface Sums {
  readonly counts: Mutable<Omit<UsageRow, 'key' | 'usd' | 'tables'>>;
  readonly tables: Set<string>;
  usd: number | null;
}

export function openSums(): Sums {
  return { counts: { calls: 0, failed: 0, partial: 0, toolCalls: 0, uncachedInput: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0, unpriced: 0, untold: 0 }, tables: new Set(), usd: null };
}

export function addCall(sums: Sums, call: CallRecord): void {
  const { counts } = sums;
  const failed = hasFailed(call);
  counts.calls += 1;
  if (failed) counts.failed += 1;
  if (call.completeness === 'partial') counts.partial += 1;
  counts.toolCalls += known(call.toolCalls);
  if (call.usage !== undefined) addTokens(counts, call.usage);
  else if (!failed) counts.untold += 1;
  if (isPriced(call)) {
    sums.usd = (sums.usd ?? 0) + (call.usd ?? 0);
    sums.tables.add(call.table);
  } else if (!failed) counts.unpriced += 1;
}

export function addSums(sums: Sums, { counts, usd, tables }: Sums): void {
  for (const name of countNames) sums.counts[name] += counts[name];
  if (usd !== null) sums.usd = (sums.usd ?? 0) + usd;
  for (const table of tables) sums.tables.add(table);
}

export function rowOf(key: UsageRow['key'], { counts, usd, tables }: Sums): UsageRow {
  return { key, ...counts, usd: usd === null ? null : toBillionths(usd), tables: [...tables].sort() };
}

function addTokens(counts: Sums['counts'], usage: Usage): void {
  counts.uncachedInput += known(usage.uncachedInput);
  counts.cacheRead += known(usage.cacheRead);
  counts.cacheWrite5m += known(usage.cacheWrite5m);
  counts.cacheWrite1h += known(usage.cacheWrite1h);
  counts.output += known(usage.output);
  counts.reasoning += known(usage.reasoning);
}

const countNames = ['calls', 'failed', 'partial', 'toolCalls', 'uncachedInput', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning', 'unpriced', 'untold'] as const satisfies readonly (keyof Sums['counts'])[];

function isPriced({ usd }: CallRecord): boolean {
  return usd !== null && Number.isFinite(usd) && usd >= 0;
}

function hasFailed({ status }: CallRecord): boolean {
  return !(status > 0 && status < 400);
}

/** A journal may be of another version, or have been tampered with: one strange number must not spoil a sum. */
function known(count: number): number {
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** Sums of fractions drift in the last places, which nobody wants to read. */
function toBillionths(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}
