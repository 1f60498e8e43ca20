import type { CallRecord, Usage } from '../types.ts';
import type { Dimension, UsageRow } from './types.ts';

/**
 * Sums of calls in groups, one row for each, the dearest first; with days, those in order first. Without dimensions one row for all;
 * none where there are no calls.
 */
export function summarise(calls: readonly CallRecord[], by: readonly Dimension[]): readonly UsageRow[] {
  const groups = new Map<string, { readonly key: UsageRow['key']; readonly calls: CallRecord[] }>();
  for (const call of calls) {
    const key = by.map((dimension) => ({ by: dimension, value: valueOf[dimension](call) }));
    const name = JSON.stringify(key.map(({ value }) => value));
    const group = groups.get(name) ?? { key, calls: [] };
    group.calls.push(call);
    groups.set(name, group);
  }
  return [...groups.values()].map((group) => rowOf(group.key, group.calls)).sort(compareRows);
}

const valueOf: Readonly<Record<Dimension, (call: CallRecord) => string | null>> = {
  session: ({ session }) => session,
  agent: ({ agent }) => agent ?? null,
  model: ({ model }) => model ?? null,
  provider: ({ provider }) => provider,
  repository: ({ workspace }) => workspace,
  day: ({ at }) => {
    const time = Date.parse(at);
    return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
  },
};

function rowOf(key: UsageRow['key'], calls: readonly CallRecord[]): UsageRow {
  const tokens = (name: keyof Usage): number => calls.reduce((sum, { usage }) => sum + known(usage?.[name]), 0);
  const priced = calls.filter(isPriced);
  return {
    key,
    calls: calls.length,
    failed: calls.filter(hasFailed).length,
    partial: calls.filter(({ completeness }) => completeness === 'partial').length,
    toolCalls: calls.reduce((sum, { toolCalls }) => sum + known(toolCalls), 0),
    uncachedInput: tokens('uncachedInput'),
    cacheRead: tokens('cacheRead'),
    cacheWrite5m: tokens('cacheWrite5m'),
    cacheWrite1h: tokens('cacheWrite1h'),
    output: tokens('output'),
    reasoning: tokens('reasoning'),
    usd: priced.length === 0 ? null : toBillionths(priced.reduce((sum, { usd }) => sum + (usd ?? 0), 0)),
    unpriced: calls.filter((call) => !isPriced(call) && !hasFailed(call)).length,
    tables: [...new Set(priced.map(({ table }) => table))].sort(),
  };
}

function isPriced({ usd }: CallRecord): boolean {
  return usd !== null && Number.isFinite(usd) && usd >= 0;
}

function hasFailed({ status }: CallRecord): boolean {
  return !(status > 0 && status < 400);
}

/** A journal may be of another version, or have been tampered with: one strange number must not spoil a sum. */
function known(count: number | undefined): number {
  return count !== undefined && Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** Sums of fractions drift in the last places, which nobody wants to read. */
function toBillionths(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}

function compareRows(one: UsageRow, other: UsageRow): number {
  return compareText(dayOf(one), dayOf(other)) || (other.usd ?? -1) - (one.usd ?? -1) || other.output - one.output || compareText(JSON.stringify(one.key), JSON.stringify(other.key));
}

function dayOf({ key }: UsageRow): string {
  return key.find(({ by }) => by === 'day')?.value ?? '';
}

function compareText(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
