import { pathIndex, pathQuery } from '../../policy/patterns/path-index.ts';
import { parsePathPattern } from '../../policy/patterns/path-pattern.ts';
import type { PatternProblem } from '../../policy/patterns/pattern-problem.ts';
import { resolvePath, rootsOf, type Places } from '../../policy/patterns/resolve-path.ts';

/** A path pattern of a policy, asked of paths in the journal: what it matches, it matches with everything beneath. */
export interface PathQuery {
  /** The directory below which all that matches lies, `/` where that is anywhere. */
  readonly base: string;
  /** `beneath`: everything at and below `base` matches. */
  readonly kind: 'beneath' | 'pattern';
  readonly matches: (components: readonly string[]) => boolean;
  /** A text that every match holds, as long as it could be found; may be empty. */
  readonly holds: string;
}

/** Reads a pattern such as `/etc`, `~/.ssh`, `src` or `/srv/*`, or says why it is none. */
export function parsePathQuery(source: string, places: Places): PathQuery | PatternProblem {
  const parsed = parsePathPattern(source);
  if (parsed.kind === 'problem') return parsed;
  const pattern = resolvePath(parsed, rootsOf(places), 'exact');
  const index = pathIndex([{ pattern, order: 0, operations: 1, above: 0, value: undefined }]);
  return {
    base: pattern.kind === 'name' ? '/' : `/${pattern.base.join('/')}`,
    kind: pattern.kind === 'subtree' ? 'beneath' : 'pattern',
    matches: (components) => index.first(pathQuery(components, 1)) !== undefined,
    holds: longestLiteral(parsed.components),
  };
}

/** Where a component escapes a character, what it holds is not looked for. */
function longestLiteral(components: readonly string[]): string {
  const runs = components.filter((component) => !component.includes('\\')).flatMap((component) => component.split(/[*?]+/u));
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}
