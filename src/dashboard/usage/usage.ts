import {
  type CallGroups,
  type CallRecord,
  costText,
  type Dimension,
  groupCalls,
  rowsOf,
  totalOf,
  type UsageRow,
} from '../../llm/index.ts';
import { shownOnPage } from '../feed/network-tally.ts';
import { budgetLines, type ReadSettings } from './budget-lines.ts';
import type { HeldCalls } from './held-calls.ts';
import { hourLength, spanOf } from './hours.ts';
import type { CountLine, Grouping, TokenSums, UsageBucket, UsageLine, UsageQuery, UsageReport } from './types.ts';

type Sums = Omit<UsageReport, 'budgets'>;

/** Sums up the kept model calls, and caches the last sums, because pages ask again after each new event. */
export class UsageAnswers {
  readonly #settings: ReadSettings;
  readonly #groups = new HourlyGroups();
  #last: { readonly key: string; readonly sums: Sums } | undefined;

  constructor(settings: ReadSettings) {
    this.#settings = settings;
  }

  async report(held: HeldCalls, query: UsageQuery, now = Date.now()): Promise<UsageReport> {
    const key = JSON.stringify([query, held.version, Math.floor(now / hourLength)]);
    const known = this.#last?.key === key ? this.#last : { key, sums: this.#sums(held, query, now) };
    this.#last = known;
    return { ...known.sums, budgets: await budgetLines(this.#settings, held.calls, now) };
  }

  #sums({ calls, refused, found, unread }: HeldCalls, { range, by }: UsageQuery, now: number): Sums {
    const { step, starts } = spanOf(range, now);
    const [first = now] = starts;
    const hours = calls.since(first).map(({ start, items }) => ({ start, groups: this.#groups.of(items, by) }));
    const rows = rowsOf(hours.map(({ groups }) => groups));
    const total = totalOf(hours.map(({ groups }) => groups));
    // After a clock was set back, some calls are in the future. They count as current, in the last bucket.
    const within = (from: number, to = Number.POSITIVE_INFINITY): readonly CallGroups[] =>
      hours.flatMap(({ start, groups }) => (start >= from && start < to ? groups : []));
    return {
      since: new Date(first).toISOString(),
      columns: dimensionsOf[by],
      rows: rows.slice(0, mostRows).map(lineOf),
      omitted: Math.max(0, rows.length - mostRows),
      ...(total === undefined ? {} : { total: lineOf(total) }),
      chart: {
        step,
        buckets: starts.map((start, index) => bucketOf(start, totalOf(within(start, starts[index + 1])))),
      },
      refused: together(refused.itemsSince(first)),
      found: together(found.itemsSince(first)),
      unread,
      cut: calls.isCutSince(first) ? 'older-left-out' : 'all-there',
    };
  }
}

const mostRows = 100;

/**
 * Sums by hour, cached until an hour gets new calls. Of a month with 100,000 calls, only the last hour is counted
 * again.
 */
class HourlyGroups {
  readonly #kept = new WeakMap<
    readonly CallRecord[],
    Map<Grouping, { readonly count: number; readonly groups: CallGroups }>
  >();

  of(calls: readonly CallRecord[], by: Grouping): CallGroups {
    const kept = this.#kept.get(calls) ?? new Map();
    const known = kept.get(by);
    if (known?.count === calls.length) return known.groups;
    const groups = groupCalls(calls, dimensionsOf[by]);
    // Programs choose the names of agents and models, so there could be as many sums as calls.
    if (groups.size <= mostKept) this.#kept.set(calls, kept.set(by, { count: calls.length, groups }));
    return groups;
  }
}

const mostKept = 100;

const dimensionsOf: Readonly<Record<Grouping, readonly Dimension[]>> = {
  model: ['provider', 'model'],
  agent: ['agent'],
  session: ['session'],
  repository: ['repository'],
  day: ['day'],
};

function lineOf(row: UsageRow): UsageLine {
  const { key, calls, failed, partial, untold } = row;
  return {
    names: key.map(({ value }) => (value === null ? '–' : shownOnPage(value, longestName))),
    calls,
    failed,
    partial,
    untold,
    ...tokensOf(row),
    cost: costText(row),
  };
}

/** `row`: undefined without calls. An unknown value is null, never 0. */
function bucketOf(start: number, row: UsageRow | undefined): UsageBucket {
  const time = start / 1000;
  if (row === undefined) return { time, tokens: noTokens, calls: 0, untold: 0, usd: 0, cost: '', unpriced: 0 };
  const { calls, failed, untold, unpriced } = row;
  const isKnown = untold === 0 || calls > untold + failed;
  const isFree = row.usd === null && unpriced === 0;
  return {
    time,
    tokens: isKnown ? tokensOf(row) : null,
    calls,
    untold,
    usd: isFree ? 0 : row.usd,
    cost: costText(row),
    unpriced,
  };
}

/** Combines lines with the same name, most frequent first. */
function together(lines: readonly CountLine[]): readonly CountLine[] {
  const sums = new Map<string, CountLine>();
  for (const { names, count } of lines) {
    const key = JSON.stringify(names);
    sums.set(key, { names, count: (sums.get(key)?.count ?? 0) + count });
  }
  return [...sums.values()].toSorted((a, b) => b.count - a.count).slice(0, mostCounted);
}

const longestName = 120;
const mostCounted = 50;
const noTokens: TokenSums = { uncached: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };

function tokensOf({ uncachedInput, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning }: UsageRow): TokenSums {
  return { uncached: uncachedInput, cacheRead, cacheWrite: cacheWrite5m + cacheWrite1h, output, reasoning };
}
