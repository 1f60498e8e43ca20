/** Time, as the queue uses it. Tests hand in one that stands still. */
export interface Clock {
  /** Milliseconds since the epoch: shown and journalled. */
  now(): number;
  /** Milliseconds that never jump: a person who sets the clock neither ends nor prolongs a pause. */
  elapsed(): number;
  /** Calls once, after so many milliseconds. Gives the way to call it off. */
  after(milliseconds: number, act: () => void): () => void;
}

/** The machine's. */
export const systemClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};
