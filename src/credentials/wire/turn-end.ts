/** Runs queued work at the end of an event loop turn. */
export interface TurnEnd {
  /** Must not throw. */
  add(work: () => void): void;
}

/**
 * Delays writes until all ready connections have been read. The receiver wakes at the first write, and then finds the
 * bytes of the other writes too. Otherwise each write would wake it again, and on a machine with few processors it
 * would be interrupted each time.
 */
export function createTurnEnd(): TurnEnd {
  let waiting: (() => void)[] = [];
  const run = (): void => {
    const now = waiting;
    waiting = [];
    for (const work of now) work();
  };
  return {
    add(work) {
      if (waiting.length === 0) setImmediate(run);
      waiting.push(work);
    },
  };
}
