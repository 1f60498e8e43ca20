import { structuredPatch } from 'diff';

/** One place where two texts differ, as in unified diffs. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Begin with ` `, `-`, `+` or `\`; one character for each byte. */
  readonly lines: readonly string[];
}

/**
 * Hunks between two texts with three lines of context. Undefined when they differ so much that finding them takes
 * longer than a quarter of a second: texts that a box made to be slow to compare must not hold up a review.
 */
export function hunksBetween(before: string, after: string): readonly Hunk[] | undefined {
  return structuredPatch('', '', before, after, '', '', { context: 3, timeout: longest })?.hunks;
}

/** Milliseconds. */
const longest = 250;
