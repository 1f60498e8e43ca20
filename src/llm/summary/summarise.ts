import type { CallRecord } from '../types.ts';
import { addCall, addSums, openSums, rowOf, type Sums } from './sums.ts';
import type { Dimension, UsageRow } from './types.ts';

/**
 * Sums of calls in groups, one row for each, the dearest first; with days, those in order first. Without dimensions one row for all;
 * none where there are no calls.
 */
export function summarise(calls: readonly CallRecord[], by: readonly Dimension[]): readonly UsageRow[] {
  return rowsOf([groupCalls(calls, by)]);
}

/** Calls in groups, to be kept while more of them come. */
export type CallGroups = ReadonlyMap<string, { readonly key: UsageRow['key']; readonly sums: Sums }>;

export function groupCalls(calls: readonly CallRecord[], by: readonly Dimension[]): CallGroups {
  const groups = new Map<string, { readonly key: UsageRow['key']; readonly sums: Sums }>();
  for (const call of calls) {
    const name = by.reduce((all, dimension) => all + unambiguous(valueOf[dimension](call)), '');
    const known = groups.get(name);
    const group = known ?? { key: by.map((dimension) => ({ by: dimension, value: valueOf[dimension](call) })), sums: openSums() };
    if (known === undefined) groups.set(name, group);
    addCall(group.sums, call);
  }
  return groups;
}

/** The rows that `summarise` has of all these calls together. The groups have to be by the same dimensions. */
export function rowsOf(parts: readonly CallGroups[]): readonly UsageRow[] {
  const all = new Map<string, { readonly key: UsageRow['key']; readonly sums: Sums }>();
  for (const [name, { key, sums }] of parts.flatMap((part) => [...part])) {
    const group = all.get(name) ?? { key, sums: openSums() };
    addSums(group.sums, sums);
    all.set(name, group);
  }
  return [...all.values()].map(({ key, sums }) => rowOf(key, sums)).sort(compareRows);
}

/** The one row that `summarise` has of all these calls without dimensions. */
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

/** Agents and servers choose the names: two lists of them must not read the same. */
function unambiguous(value: string | null): string {
  return value === null ? '-' : `${value.length}:${value}`;
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
