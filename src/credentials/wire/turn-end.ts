/** Does at the end of a turn of the event loop what came up in it. */
export interface TurnEnd {
  /** Must not throw. */
  add(work: () => void): void;
}

/**
 * Of many connections that are ready at once, all are read before any is written to: the one who is woken by the first
 * write finds the others' as well, where otherwise each write wakes him again, and is interrupted by him on a machine
 * with few processors.
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
