import type { Budget } from './types.ts';

/** What is left of a budget. One meter serves all scripts of one command line, so that scripts within scripts share it. */
export interface Meter {
  /** Counts one node. False when the budget is used up, and ever after. */
  readonly node: () => boolean;
  /** Whether a script may be opened that lies in this many others, and time is left to. */
  readonly script: (depth: number) => boolean;
}

/** Nodes between two looks at the clock. */
const stride = 128;
/** Up to so many nodes the clock does not count: a machine that stands still for a moment must not make a short command dubious. */
const few = 256;

/** Defaults: 50,000 nodes, 64 scripts within scripts, 50 ms by `performance.now`. The time begins now. */
export function createMeter(budget: Partial<Budget> = {}, clock: () => number = () => performance.now()): Meter {
  const { nodes = 50_000, depth: deepest = 64, time = 50 } = budget;
  const end = clock() + time;
  let used = 0;
  let over = false;
  const late = (): boolean => (over ||= clock() >= end);
  return {
    node() {
      used += 1;
      over ||= used > nodes;
      return !over && (used < few || used % stride !== 0 || !late());
    },
    script: (depth) => depth <= deepest && !over && (used < few || !late()),
  };
}
