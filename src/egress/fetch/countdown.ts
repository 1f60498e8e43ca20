export interface Countdown {
  /** Stands still until `wait` is over. One at a time. */
  pausedFor<Result>(wait: () => Promise<Result>): Promise<Result>;
  stop(): void;
}

/** Calls `over` once, when so many milliseconds have passed in which it did not stand still. */
export function countdown(milliseconds: number, over: () => void): Countdown {
  let left = milliseconds;
  let since = performance.now();
  let timer: NodeJS.Timeout | undefined = setTimeout(over, left);
  let state: 'going' | 'stopped' = 'going';
  return {
    async pausedFor(wait) {
      clearTimeout(timer);
      left -= performance.now() - since;
      try {
        return await wait();
      } finally {
        since = performance.now();
        if (state === 'going') timer = setTimeout(over, Math.max(0, left));
      }
    },
    stop() {
      state = 'stopped';
      clearTimeout(timer);
    },
  };
}
