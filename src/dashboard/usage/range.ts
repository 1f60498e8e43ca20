import type { Range, UsageChart } from './types.ts';

/** A stretch of time in whole hours or days of UTC. Milliseconds since the epoch. */
export interface Span {
  readonly step: UsageChart['step'];
  /** When each bucket starts; the last one has `now` in it. */
  readonly starts: readonly number[];
}

export const hourLength = 3_600_000;
const dayLength = 24 * hourLength;

export function spanOf(range: Range, now: number): Span {
  const today = now - (now % dayLength);
  switch (range) {
    case 'today':
      return { step: 'hour', starts: starts(today, now, hourLength) };
    case '7d':
      return { step: 'day', starts: starts(today - 6 * dayLength, now, dayLength) };
    case '30d':
      return { step: 'day', starts: starts(today - 29 * dayLength, now, dayLength) };
    case 'month':
      return { step: 'day', starts: starts(today - (new Date(now).getUTCDate() - 1) * dayLength, now, dayLength) };
  }
}

function starts(first: number, now: number, length: number): readonly number[] {
  return Array.from({ length: Math.floor((now - first) / length) + 1 }, (_, index) => first + index * length);
}
