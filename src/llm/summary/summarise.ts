import type { CallRecord, Usage } from '../types.ts';
import type { Dimension, UsageRow } from './usage-json.ts';

/**
 * Returns sums of calls, one row for each group, the dearest first. Rows with days are sorted by day first. Without
 * dimensions, returns one row for all calls, or none if there are no calls.
 */
export function summarise(calls: readonly CallRecord[], by: readonly Dimension[]): readonly UsageRow[] {
  return rowsOf([groupCalls(calls, by)]);
}

/** Calls in groups, kept so that more can be added. */
export type CallGroups = ReadonlyMap<string, { readonly key: UsageRow['key']; readonly sums: Sums }>;

export function groupCalls(calls: readonly CallRecord[], by: readonly Dimension[]): CallGroups {
  const groups = new Map<string, { readonly key: UsageRow['key']; readonly sums: Sums }>();
  for (const call of calls) {
    const name = by.reduce((all, dimension) => all + unambiguous(valueOf[dimension](call)), '');
    const known = groups.get(name);
    const group = known ?? {
      key: by.map((dimension) => ({ by: dimension, value: valueOf[dimension](call) })),
      sums: openSums(),
    };
    if (known === undefined) groups.set(name, group);
    addCall(group.sums, call);
  }
  return groups;
}

/** Returns the rows of `summarise` for all these calls together. The groups must have the same dimensions. */
export function rowsOf(parts: readonly CallGroups[]): readonly UsageRow[] {
  const all = new Map<string, { readonly key: UsageRow['key']; readonly sums: Sums }>();
  for (const [name, { key, sums }] of parts.flatMap((part) => [...part])) {
    const group = all.get(name) ?? { key, sums: openSums() };
    addSums(group.sums, sums);
    all.set(name, group);
  }
  return [...all.values()].map(({ key, sums }) => rowOf(key, sums)).sort(compareRows);
}

/** Returns the one row of `summarise` for all these calls without dimensions. */
export function totalOf(parts: readonly CallGroups[]): UsageRow | undefined {
  const total = openSums();
  for (const part of parts) for (const { sums } of part.values()) addSums(total, sums);
  return total.counts.calls === 0 ? undefined : rowOf([], total);
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

/** Agents and servers choose the names, and two different lists must not read the same. */
function unambiguous(value: string | null): string {
  return value === null ? '-' : `${value.length}:${value}`;
}

function compareRows(one: UsageRow, other: UsageRow): number {
  return (
    compareText(dayOf(one), dayOf(other)) ||
    (other.usd ?? -1) - (one.usd ?? -1) ||
    other.output - one.output ||
    compareText(JSON.stringify(one.key), JSON.stringify(other.key))
  );
}

function dayOf({ key }: UsageRow): string {
  return key.find(({ by }) => by === 'day')?.value ?? '';
}

function compareText(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Sums of a group's calls so far. */
interface Sums {
  readonly counts: Mutable<Omit<UsageRow, 'key' | 'usd' | 'tables'>>;
  readonly tables: Set<string>;
  usd: number | null;
}

function openSums(): Sums {
  return {
    counts: {
      calls: 0,
      failed: 0,
      partial: 0,
      toolCalls: 0,
      uncachedInput: 0,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 0,
      reasoning: 0,
      unpriced: 0,
      untold: 0,
    },
    tables: new Set(),
    usd: null,
  };
}

function addCall(sums: Sums, call: CallRecord): void {
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

function addSums(sums: Sums, { counts, usd, tables }: Sums): void {
  for (const name of countNames) sums.counts[name] += counts[name];
  if (usd !== null) sums.usd = (sums.usd ?? 0) + usd;
  for (const table of tables) sums.tables.add(table);
}

function rowOf(key: UsageRow['key'], { counts, usd, tables }: Sums): UsageRow {
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

const countNames = [
  'calls',
  'failed',
  'partial',
  'toolCalls',
  'uncachedInput',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'output',
  'reasoning',
  'unpriced',
  'untold',
] as const satisfies readonly (keyof Sums['counts'])[];

function isPriced({ usd }: CallRecord): boolean {
  return usd !== null && Number.isFinite(usd) && usd >= 0;
}

function hasFailed({ status }: CallRecord): boolean {
  return !(status > 0 && status < 400);
}

/** A journal may be from another version, or manipulated. One invalid number must not spoil a sum. */
function known(count: number): number {
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** Rounds, because sums of fractions drift in their last digits. */
function toBillionths(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}

/** US dollars. Ends in `+ ?` if some of the calls have no known cost, and is `?` if none has. */
export function costText({ usd, unpriced }: UsageRow): string {
  if (usd === null) return unpriced === 0 ? '' : '?';
  const amount = usd > 0 && usd < 0.01 ? usd.toFixed(6) : usd.toFixed(2);
  return unpriced === 0 ? amount : `${amount} + ?`;
}
