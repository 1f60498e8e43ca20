import { join } from 'node:path';
import { appendEvents } from '../../src/audit/index.ts';
import { Feed } from '../../src/dashboard/feed/feed.ts';
import { groupings } from '../../src/dashboard/usage/types.ts';
import { callOf } from '../../test/lib/dashboard-calls.ts';
import { makeScratch } from './scratch.ts';

export const callCount = 100_000;

/** Milliseconds, of a month of calls. */
export interface Answered {
  /** Until the whole journal is read. The page is already open during that time. */
  readonly read: number;
  /** The slowest of the first answers, of each way to group calls. */
  readonly first: number;
  /** The slowest of those after another call. */
  readonly again: number;
}

/** The totals of 30 days' calls, as the page requests them, with a budget of a month. */
export async function measureUsage(): Promise<Answered> {
  const journal = join(makeScratch().environment['XDG_STATE_HOME'] ?? '', 'holdfast/journal.jsonl');
  writeMonth(journal);
  const feed = new Feed(journal, async () => ({
    budgets: [{ name: 'a-month', limit: { kind: 'usd', most: 5000 }, over: 'month', providers: [], models: [] }],
  }));
  const read = await timed(() => readAll(feed));
  const slowest = async (): Promise<number> => {
    const times: number[] = [];
    for (const by of groupings) times.push(await timed(() => feed.usage({ range: '30d', by })));
    return Math.max(...times);
  };
  const first = await slowest();
  appendEvents(journal, [callOf(1)]);
  readAll(feed);
  return { read, first, again: await slowest() };
}

function writeMonth(journal: string): void {
  const hours = 29 * 24;
  const now = Date.now();
  for (let hour = 0; hour < hours; hour += 1) {
    const time = now - (hours - hour) * 3_600_000;
    const from = Math.round((callCount * hour) / hours);
    const calls = Array.from({ length: Math.round((callCount * (hour + 1)) / hours) - from }, (_, index) =>
      callOf(from + index),
    );
    appendEvents(journal, calls, { clock: () => ({ time, uptime: time, boot: 'a' }) });
  }
}

function readAll(feed: Feed): void {
  while (feed.refresh().rest === 'more');
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
