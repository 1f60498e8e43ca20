import type { Budget } from './types.ts';

/** A stretch of time that a budget is for, from its beginning to just before `end`. */
export interface Window {
  readonly start: number;
  /** Infinite for a session. */
  readonly end: number;
}

/** Milliseconds since 1970. A day has 24 hours in UTC; leap seconds are not counted by POSIX clocks. */
export function windowAt(over: Budget['over'], now: number): Window {
  const date = new Date(now);
  switch (over) {
    case 'session':
      return { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };
    case 'day': {
      const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
      return { start, end: start + 86_400_000 };
    }
    case 'month':
      return { start: Date.UTC(date.getUTCFullYear(), date.getUTCMonth()), end: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) };
  }
}
