import { pathComponents } from '../../policy/normalise/path.ts';
import type { EntryFacts } from './facts.ts';
import type { PathQuery } from './path-query.ts';
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
export function matchesFilter(filter: EventFilter, facts: EntryFacts): boolean {
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
