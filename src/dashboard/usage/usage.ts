import { type CallGroups, rowsOf, totalOf } from '../../llm/index.ts';
import { budgetLines, type ReadSettings } from './budget-lines.ts';
import type { HeldCalls } from './held-calls.ts';
import { HourlyGroups } from './hourly-groups.ts';
import { hourLength, spanOf } from './range.ts';
import type { UsageQuery, UsageReport } from './types.ts';
import { bucketOf, dimensionsOf, lineOf, together } from './usage-lines.ts';

type Sums = Omit<UsageReport, 'budgets'>;

/** Answers what calls of models came to, from what is held, and keeps the last sums: pages ask again whenever something came. */
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
    // A clock that was set back leaves calls that are still to come: they are of now, and in the last bucket.
    const within = (from: number, to = Number.POSITIVE_INFINITY): readonly CallGroups[] => hours.flatMap(({ start, groups }) => (start >= from && start < to ? groups : []));
    return {
      since: new Date(first).toISOString(),
      columns: dimensionsOf[by],
      rows: rows.slice(0, mostRows).map(lineOf),
      omitted: Math.max(0, rows.length - mostRows),
      ...(total === undefined ? {} : { total: lineOf(total) }),
      chart: { step, buckets: starts.map((start, index) => bucketOf(start, totalOf(within(start, starts[index + 1])))) },
      refused: together(refused.itemsSince(first)),
      found: together(found.itemsSince(first)),
      unread,
      cut: calls.isCutSince(first) ? 'older-left-out' : 'all-there',
    };
  }
}

const mostRows = 100;
