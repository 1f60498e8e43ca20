/** One row of a comparison: something to run, or the reason why it cannot run on this machine. */
export type Contestant = Runner | Absent;

export interface Runner {
  readonly kind: 'runner';
  readonly name: string;
  /** One measured operation. A rejection ends the bench: a figure of a failing command means nothing. */
  readonly run: () => Promise<void>;
}

export interface Absent {
  readonly kind: 'absent';
  readonly name: string;
  readonly reason: string;
}

export function runner(name: string, run: () => Promise<void>): Runner {
  return { kind: 'runner', name, run };
}

export function absent(name: string, reason: string): Absent {
  return { kind: 'absent', name, reason };
}
