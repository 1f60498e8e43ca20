/** Runs queued work at the end of a turn of the event loop. */
export interface TurnEnd {
  /** Must not throw. */
  add(work: () => void): void;
}

/**
 * Reads all ready connections before it writes to any. The receiver that wakes at the first write then finds the
 * others' bytes too. Otherwise each write would wake it again, and on a machine with few processors it would be
 * interrupted each time.
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
