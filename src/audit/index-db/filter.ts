import { pathComponents } from '../../policy/normalise/path.ts';
import type { PatternProblem } from '../../policy/patterns/command-pattern.ts';
import { pathIndex } from '../../policy/patterns/path-index.ts';
import { parsePathPattern } from '../../policy/patterns/path-pattern.ts';
import { pathQuery, type PatternBase, resolvePath, patternRoots } from '../../policy/patterns/resolve-path.ts';
import type { IndexedFacts } from './facts.ts';
import { holdsPhrases, type Phrase } from './phrases.ts';

/** A query of the journal. All given parts must match. */
export interface EventFilter {
  /** Milliseconds since the epoch, inclusive. */
  readonly since?: number;
  /** Milliseconds since the epoch, exclusive. */
  readonly until?: number;
  /** Start of a session's ID. */
  readonly session?: string;
  /** Any of these types. */
  readonly types?: readonly string[];
  /** Any of these decisions. */
  readonly decisions?: readonly string[];
  readonly path?: PathQuery;
  readonly host?: HostQuery;
  /** All of these phrases, in any order. */
  readonly words?: readonly Phrase[];
}

export type HostQuery =
  /** A host in the spelling of `normaliseHost`. */
  | { readonly kind: 'exact'; readonly host: string }
  /** All names below the suffix, but not the suffix itself. */
  | { readonly kind: 'below'; readonly suffix: string };

/** Gives the same answer as the index, for an entry that is not indexed yet. `tail` uses it. */
export function matchesFilter(filter: EventFilter, facts: IndexedFacts): boolean {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, session = '', types, decisions } = filter;
  return (
    facts.time >= since &&
    facts.time < until &&
    facts.session.startsWith(session) &&
    (types?.includes(facts.type) ?? true) &&
    (decisions?.includes(facts.decision) ?? true) &&
    matchesPath(filter.path, facts.paths) &&
    matchesHost(filter.host, facts.hosts) &&
    (filter.words === undefined || holdsPhrases(filter.words, facts.text))
  );
}

function matchesPath(query: PathQuery | undefined, paths: readonly string[]): boolean {
  if (query === undefined) return true;
  return paths.some((path) => {
    const components = pathComponents(path);
    return components !== undefined && query.matches(components);
  });
}

function matchesHost(query: HostQuery | undefined, hosts: readonly string[]): boolean {
  if (query === undefined) return true;
  return query.kind === 'exact' ? hosts.includes(query.host) : hosts.some((host) => host.endsWith(`.${query.suffix}`));
}

/** A path pattern of a policy, applied to paths in the journal. It matches everything below a match too. */
export interface PathQuery {
  /** Directory of all matches. `/` if they can be anywhere. */
  readonly base: string;
  /** `beneath`: everything at and below `base` matches. */
  readonly kind: 'beneath' | 'pattern';
  readonly matches: (components: readonly string[]) => boolean;
  /** The longest literal text found in every match. May be empty. */
  readonly holds: string;
}

/** Parses a pattern such as `/etc`, `~/.ssh`, `src` or `/srv/*`, or returns the reason why it is invalid. */
export function parsePathQuery(source: string, places: PatternBase): PathQuery | PatternProblem {
  const parsed = parsePathPattern(source);
  if (parsed.kind === 'problem') return parsed;
  const pattern = resolvePath(parsed, patternRoots(places), 'exact');
  const index = pathIndex([{ pattern, order: 0, operations: 1, above: 0, value: undefined }]);
  return {
    base: pattern.kind === 'name' ? '/' : `/${pattern.base.join('/')}`,
    kind: pattern.kind === 'subtree' ? 'beneath' : 'pattern',
    matches: (components) => index.first(pathQuery(components, 1)) !== undefined,
    holds: longestLiteral(parsed.components),
  };
}

/** A component with an escaped character is skipped. */
function longestLiteral(components: readonly string[]): string {
  const runs = components
    .filter((component) => !component.includes('\\'))
    .flatMap((component) => component.split(/[*?]+/u));
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}
