import type { Budget } from './types.ts';

/** What is left of a budget. One meter serves all scripts of one command line, so that scripts within scripts share it. */
export interface Meter {
  /** Counts so many steps of work; 1 by default. False when the budget is used up, and ever after. */
  readonly spend: (steps?: number) => boolean;
  /** Whether a script may be opened that lies in this many others. */
  readonly script: (depth: number) => boolean;
}

/**
 * Defaults: 32,000 steps, 64 scripts within scripts. Work is counted and not timed: on a slow or busy machine the same text is
 * decided as on any other, and nobody makes a text dubious by keeping the machine busy.
 */
export function createMeter({ steps = 32_000, depth: deepest = 64 }: Partial<Budget> = {}): Meter {
  let left = steps;
  return {
    spend(count = 1) {
      left -= count;
      return left >= 0;
    },
    script: (depth) => depth <= deepest && left >= 0,
  };
}
