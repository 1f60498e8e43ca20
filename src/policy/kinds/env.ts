import { isGuardedVariable } from '../builtin/guarded-variables.ts';
import type { RuleOf } from '../document/rule-schema.ts';
import { compileWildcard, matchesWildcard, type Wildcard } from '../patterns/wildcard.ts';
import type { EnvRequest } from '../request.ts';
import type { Clause, ClauseFinder } from './signal.ts';

/** A clause whose matcher is a name with wildcards. */
export type EnvClause<Value> = Clause<string, Value>;

/** Undefined for an impossible name. */
export function envQuery(request: EnvRequest): EnvRequest | undefined {
  return /^[^=\0]+$/.test(request.name) && request.name.isWellFormed() ? request : undefined;
}

export function envRuleClauses<Value>(
  rule: RuleOf<'env'>,
  clause: Omit<EnvClause<Value>, 'matcher'>,
): readonly EnvClause<Value>[] {
  return rule.names.map((matcher) => ({ ...clause, matcher }));
}

/** A wildcard never passes a variable that loads code or looks like a secret. Such a variable must be named exactly. */
export function envFinder<Value>(clauses: readonly EnvClause<Value>[]): ClauseFinder<EnvRequest, Value> {
  const index = textIndex(
    clauses.map(({ matcher, value, effect }, order) => ({
      pattern: matcher,
      order,
      value,
      wildcards: effect === 'restricts' ? 'cover-all' : 'spare-guarded',
    })),
  );
  return ({ name, looks }) =>
    index.first(name, looks === 'secret' || isGuardedVariable(name) ? 'guarded' : 'plain')?.value;
}

/** A text pattern in a set, with its order and its value. */
interface TextEntry<Value> {
  readonly pattern: string;
  /** Lower is tried first. */
  readonly order: number;
  readonly value: Value;
  /** Whether a wildcard in the pattern also covers `guarded` texts. */
  readonly wildcards: 'cover-all' | 'spare-guarded';
}

interface TextIndex<Value> {
  /** Returns the matching entry with the lowest order. Only an entry with the exact name lets a `guarded` text pass. */
  readonly first: (text: string, care: 'plain' | 'guarded') => TextEntry<Value> | undefined;
}

/** Indexes names of variables, tools and abstract sockets. */
export function textIndex<Value>(entries: readonly TextEntry<Value>[]): TextIndex<Value> {
  const named = new Map<string, TextEntry<Value>>();
  const wild: { readonly entry: TextEntry<Value>; readonly wildcard: Wildcard }[] = [];
  for (const entry of entries.toSorted((a, b) => a.order - b.order)) {
    const wildcard = compileWildcard(entry.pattern);
    if (wildcard.literal === undefined) wild.push({ entry, wildcard });
    else if (!named.has(wildcard.literal)) named.set(wildcard.literal, entry);
  }
  const unguarded = wild.filter(({ entry }) => entry.wildcards === 'cover-all');
  return {
    first(text, care) {
      const exact = named.get(text);
      const candidates = care === 'guarded' ? unguarded : wild;
      const found = candidates.find(({ wildcard }) => matchesWildcard(wildcard, text))?.entry;
      if (exact === undefined || found === undefined) return exact ?? found;
      return exact.order < found.order ? exact : found;
    },
  };
}
