import { costText, type Dimension, type UsageRow } from '../../llm/index.ts';
import { shown } from '../feed/shown.ts';
import type { CountLine, Grouping, TokenSums, UsageBucket, UsageLine } from './types.ts';

export const dimensionsOf: Readonly<Record<Grouping, readonly Dimension[]>> = { model: ['provider', 'model'], agent: ['agent'], session: ['session'], repository: ['repository'], day: ['day'] };

export function lineOf(row: UsageRow): UsageLine {
  const { key, calls, failed, partial, untold } = row;
  return { names: key.map(({ value }) => (value === null ? '–' : shown(value, longestName))), calls, failed, partial, untold, ...tokensOf(row), cost: costText(row) };
}

/** `row`: undefined where there were no calls. What is not known is null, never 0. */
export function bucketOf(start: number, row: UsageRow | undefined): UsageBucket {
  const time = start / 1000;
  if (row === undefined) return { time, tokens: noTokens, calls: 0, untold: 0, usd: 0, cost: '', unpriced: 0 };
  const { calls, failed, untold, unpriced } = row;
  const isKnown = untold === 0 || calls > untold + failed;
  const isFree = row.usd === null && unpriced === 0;
  return { time, tokens: isKnown ? tokensOf(row) : null, calls, untold, usd: isFree ? 0 : row.usd, cost: costText(row), unpriced };
}

/** Lines of the same names together, most first. */
export function together(lines: readonly CountLine[]): readonly CountLine[] {
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
