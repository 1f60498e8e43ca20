import { isGuardedVariable } from '../builtin/guarded-variables.ts';
import type { RuleOf } from '../document/rule-schema.ts';
import { compileWildcard, matchesWildcard, type Wildcard } from '../patterns/wildcard.ts';
import type { EnvRequest } from '../request.ts';
import type { Clause, ClauseFinder } from './signal.ts';

/** A name with wildcards. */
export type EnvClause<Value> = Clause<string, Value>;

/** Undefined when no variable can be called so. */
export function envQuery(request: EnvRequest): EnvRequest | undefined {
  return /^[^=\0]+$/.test(request.name) && request.name.isWellFormed() ? request : undefined;
}

export function envRuleClauses<Value>(
  rule: RuleOf<'env'>,
  clause: Omit<EnvClause<Value>, 'matcher'>,
): readonly EnvClause<Value>[] {
  return rule.names.map((matcher) => ({ ...clause, matcher }));
}

/** A wildcard never lets a variable pass that loads code or looks like a secret: such a one has to be named. */
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

/** One text pattern in a set: in which order it is tried, and what it stands for. */
interface TextEntry<Value> {
  readonly pattern: string;
  /** Lower is tried first. */
  readonly order: number;
  readonly value: Value;
  /** Whether a wildcard in the pattern also covers texts that are looked up as `guarded`. */
  readonly wildcards: 'cover-all' | 'spare-guarded';
}

interface TextIndex<Value> {
  /**
   * The entry with the lowest order that matches. A `guarded` text has to be named exactly by what would let it pass.
   */
  readonly first: (text: string, care: 'plain' | 'guarded') => TextEntry<Value> | undefined;
}

/** For names of variables, of tools and of abstract sockets. */
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
