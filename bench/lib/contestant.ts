/** One row of a comparison: an operation, or the reason why it cannot run on this machine. */
export type Contestant = Runner | Absent;

export interface Runner {
  readonly kind: 'runner';
  readonly name: string;
  /**
   * One operation. Returns its time in milliseconds. A rejection ends the bench, because the figure of a failing
   * command means nothing.
   */
  readonly run: () => Promise<number>;
}

export interface Absent {
  readonly kind: 'absent';
  readonly name: string;
  readonly reason: string;
}

/** Times the operation from here. */
export function runner(name: string, operation: () => Promise<unknown>): Runner {
  return {
    kind: 'runner',
    name,
    run: async () => {
      const begin = performance.now();
      await operation();
      return performance.now() - begin;
    },
  };
}

/** For an operation that measures itself, such as one inside an open box. */
export function selfTimed(name: string, run: () => Promise<number>): Runner {
  return { kind: 'runner', name, run };
}

export function absent(name: string, reason: string): Absent {
  return { kind: 'absent', name, reason };
}
