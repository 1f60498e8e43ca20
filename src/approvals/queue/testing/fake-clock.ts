import type { Clock } from '../options.ts';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Advances by this many milliseconds, and calls due timers in their order. */
  advance(milliseconds: number): void;
  /** Sets the machine's clock. */
  set(now: number): void;
}

export function fakeClock(start = 1_800_000_000_000): FakeClock {
  let elapsed = 0;
  let offset = start;
  let timers: readonly { readonly at: number; readonly act: () => void }[] = [];
  return {
    now: () => offset + elapsed,
    elapsed: () => elapsed,
    after: (milliseconds, act) => {
      const timer = { at: elapsed + milliseconds, act };
      timers = [...timers, timer];
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance: (milliseconds) => {
      const end = elapsed + milliseconds;
      for (let due = first(timers, end); due !== undefined; due = first(timers, end)) {
        const { at, act } = due;
        timers = timers.filter((other) => other !== due);
        elapsed = at;
        act();
      }
      elapsed = end;
    },
    set: (now) => {
      offset = now - elapsed;
    },
  };
}

function first<Timer extends { readonly at: number }>(timers: readonly Timer[], end: number): Timer | undefined {
  return timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
}
