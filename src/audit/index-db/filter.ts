import { pathComponents } from '../../policy/normalise/path.ts';
import type { PatternProblem } from '../../policy/patterns/command-pattern.ts';
import { pathIndex } from '../../policy/patterns/path-index.ts';
import { parsePathPattern } from '../../policy/patterns/path-pattern.ts';
import { pathQuery, type PatternBase, resolvePath, patternRoots } from '../../policy/patterns/resolve-path.ts';
import type { IndexedFacts } from './facts.ts';
import { holdsPhrases, type Phrase } from './phrases.ts';

/** What is asked of the journal; every part that is there has to hold. */
export interface EventFilter {
  /** Milliseconds since the epoch, included. */
  readonly since?: number;
  /** Milliseconds since the epoch, excluded. */
  readonly until?: number;
  /** The beginning of a session's ID. */
  readonly session?: string;
  /** One of them. */
  readonly types?: readonly string[];
  /** One of them. */
  readonly decisions?: readonly string[];
  readonly path?: PathQuery;
  readonly host?: HostQuery;
  /** All of them, in any order. */
  readonly words?: readonly Phrase[];
}

export type HostQuery =
  /** In the spelling of `normaliseHost`. */
  | { readonly kind: 'exact'; readonly host: string }
  /** Every name below it, but not itself. */
  | { readonly kind: 'below'; readonly suffix: string };

/** The same answer as the index gives, for an entry that is not in it yet: `tail` asks so. */
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

/** Where a component escapes a character, what it holds is not looked for. */
function longestLiteral(components: readonly string[]): string {
  const runs = components
    .filter((component) => !component.includes('\\'))
    .flatMap((component) => component.split(/[*?]+/u));
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}
