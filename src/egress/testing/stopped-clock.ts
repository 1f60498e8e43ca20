import { onTestFinished, vi } from 'vitest';

export interface StoppedClock {
  /** Lets timers of so many milliseconds go off. */
  pass(milliseconds: number): Promise<void>;
  /** Waits without time passing, which `expect.poll` would let it. */
  until(holds: () => boolean): Promise<void>;
}

/**
 * From here to the end of the test, time stands still for timers and for `performance.now` unless it is made to pass:
 * what ends all the same has waited for no timer, and what waits for one ends neither before nor after it, however slow
 * the machine is.
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

/** Lets come what is on its way over loopback already. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
}

/** Whether something has settled by now. */
export async function hasSettled(work: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([work.catch(() => undefined), Promise.resolve(pending)])) !== pending;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
