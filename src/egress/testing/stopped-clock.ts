import { onTestFinished, vi } from 'vitest';

export interface StoppedClock {
  /** Fires timers of this many milliseconds. */
  pass(milliseconds: number): Promise<void>;
  /** Waits without a change of time, unlike `expect.poll`. */
  until(holds: () => boolean): Promise<void>;
}

/**
 * From here to the end of the test, time stands still for timers and for `performance.now`, unless a test moves it.
 * Work that still ends has not waited for a timer. Work that waits for a timer ends exactly with it, on a machine of
 * any speed.
 */
export function stopClock(): StoppedClock {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return {
    pass: async (milliseconds) => void (await vi.advanceTimersByTimeAsync(milliseconds)),
    until: async (holds) => {
      while (!holds()) await nextTurn();
    },
  };
}

/** Waits for bytes that are already on their way over loopback. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
}

/** Whether something has already settled. */
export async function hasSettled(work: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([work.catch(() => undefined), Promise.resolve(pending)])) !== pending;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
