/** How many commands are told one by one. */
export interface StatementBudget {
  /** Whether there is room for one more in this second. */
  hasRoom(): boolean;
  /** Takes the room of one. */
  take(): void;
}

/** Milliseconds after the first that took room, until there is all of it again. */
const period = 1000;

/** For all connections of one credential: a pipeline would fill the journal, and be slowed down by it. The clock is not read for each command. */
export function createStatementBudget(perSecond = 100): StatementBudget {
  let left = perSecond;
  const refill = (): void => {
    left = perSecond;
  };
  return {
    hasRoom: () => left > 0,
    take() {
      if (left === perSecond) setTimeout(refill, period).unref();
      left -= 1;
    },
  };
}
