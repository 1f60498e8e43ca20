import type { Invocation, Opacity } from '../types.ts';

/**
 * The commands of one shell text, before any wrapper is opened. Invocations refer to each other by their positions in
 * this list.
 */
export interface Script {
  readonly invocations: readonly ParsedCommand[];
  /** Names of functions or aliases that the text defines. A command of such a name runs the function. */
  readonly defined: ReadonlySet<string>;
  readonly opaque: readonly Opacity[];
  /** For each shell process of the text, the shell that it copies. The first is the script's own and copies none. */
  readonly shells: readonly (number | undefined)[];
}

/**
 * An invocation without the parts that only the analysis knows, and with the data needed to follow the working
 * directory.
 */
export interface ParsedCommand extends Omit<Invocation, 'cwd'> {
  /**
   * Position in `Script.shells`. Subshells, substitutions, stages of a longer pipeline, background lists and
   * coprocesses have their own shells. A `cd` there changes no other shell's directory.
   */
  readonly shell: number;
  /**
   * The operator before it: `success` for `&&`, `failure` for `||`, `any` for everything else. The first command of a
   * group or subshell has the operator of the group.
   */
  readonly after: 'success' | 'failure' | 'any';
  /** For a command of a job that `&` starts: the number of the job's shell, and of the shell that starts it. */
  readonly job?: { readonly shell: number; readonly by: number };
  /** `branch`: in a branch, a loop or a function of the same shell, so it may run never, once or often. */
  readonly place: 'list' | 'branch';
}

/** Work that one command line may cost, counted over all scripts within it. */
export interface ParseBudget {
  /**
   * Each step is about a microsecond. A syntax node costs one, plus one for every 64 characters. A command costs eight.
   * Default: 32,000.
   */
  readonly steps: number;
  /** Nested scripts. Default: 64. */
  readonly depth: number;
}

/** The remainder of a budget. One meter serves all scripts of one command line, so nested scripts share it. */
export interface Meter {
  /** Counts steps of work. Default: 1. Returns false once the budget is exhausted, and from then on. */
  readonly spend: (steps?: number) => boolean;
  /** Whether a script at this nesting depth may be opened. */
  readonly script: (depth: number) => boolean;
}

/**
 * Defaults: 32,000 steps, 64 nested scripts. Counts work, not time, so that a slow or busy machine decides the same
 * text alike. So an attacker cannot make a text dubious by keeping the machine busy.
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
