import type { Invocation, Opacity } from '../types.ts';

/**
 * What one shell text runs, before any wrapper is looked into. Invocations refer to each other by their places in this
 * list.
 */
export interface Script {
  readonly invocations: readonly ParsedCommand[];
  /** Names that the text makes functions or aliases of: a command of such a name runs the function. */
  readonly defined: ReadonlySet<string>;
  readonly opaque: readonly Opacity[];
  /**
   * For each shell process that the text makes, the one it is a copy of; the first is the script's own and has none.
   */
  readonly shells: readonly (number | undefined)[];
}

/** An invocation without what only the analysis knows, and with what a working directory is followed by. */
export interface ParsedCommand extends Omit<Invocation, 'cwd'> {
  /**
   * Its place in `Script.shells`. Subshells, substitutions, stages of a pipeline of several, background lists and
   * coprocesses are shells of their own: a `cd` there moves nobody else.
   */
  readonly shell: number;
  /**
   * The operator before it: `success` for `&&`, `failure` for `||`, `any` for everything else. The first command of a
   * group or subshell has the operator of the group.
   */
  readonly after: 'success' | 'failure' | 'any';
  /** `branch`: in a branch, a loop or a function, of the same shell: it may run never, once or often. */
  readonly place: 'list' | 'branch';
}

/** Work that one command line may cost; counted over all scripts within it. */
export interface ParseBudget {
  /**
   * Of about a microsecond: a node of syntax is one and one more for every 64 characters, a command eight. Default
   * 32,000.
   */
  readonly steps: number;
  /** Scripts within scripts. Default 64. */
  readonly depth: number;
}

/**
 * What is left of a budget. One meter serves all scripts of one command line, so that scripts within scripts share it.
 */
export interface Meter {
  /** Counts so many steps of work; 1 by default. False when the budget is used up, and ever after. */
  readonly spend: (steps?: number) => boolean;
  /** Whether a script may be opened that is in this many others. */
  readonly script: (depth: number) => boolean;
}

/**
 * Defaults: 32,000 steps, 64 scripts within scripts. Work is counted, not timed. So a slow or busy machine decides the
 * same text alike, and nobody makes a text dubious by keeping the machine busy.
 */
export function createMeter({ steps = 32_000, depth: deepest = 64 }: Partial<ParseBudget> = {}): Meter {
  let left = steps;
  return {
    spend(count = 1) {
      left -= count;
      return left >= 0;
    },
    script: (depth) => depth <= deepest && left >= 0,
  };
}
