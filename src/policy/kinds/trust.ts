import type { RuleOf } from '../document/rule-schema.ts';
import { pathComponents } from '../normalise/path.ts';
import { type PathIndex, pathQuery } from '../patterns/path-entry.ts';
import { pathIndex } from '../patterns/path-index.ts';
import { type Roots, resolvePath } from '../patterns/resolve-path.ts';
import type { TrustRequest } from '../request.ts';
import type { Clause, Finder } from './signal.ts';
import { knownPath } from './known-pattern.ts';

export interface TrustMatcher {
  readonly path: string;
  /** Absent means whatever the content. */
  readonly sha256?: readonly string[] | undefined;
}

export type TrustClause<Value> = Clause<TrustMatcher, Value>;

export interface TrustQuery {
  readonly components: readonly string[];
  readonly sha256: string;
}

/** Undefined when the path is none, or the hash is none: nothing is trusted by a hash that was not taken. */
export function trustQuery({ path, sha256 }: TrustRequest): TrustQuery | undefined {
  const components = pathComponents(path);
  return components === undefined || !/^[0-9a-f]{64}$/.test(sha256) ? undefined : { components, sha256 };
}

export function trustRuleClauses<Value>(
  rule: RuleOf<'trust'>,
  clause: Omit<TrustClause<Value>, 'matcher'>,
): readonly TrustClause<Value>[] {
  return rule.paths.map((path) => ({ ...clause, matcher: { path, sha256: rule.sha256 } }));
}

/** Each clause has an index of its own: there are few, and the hash has to be asked at each in turn. */
export function trustFinder<Value>(clauses: readonly TrustClause<Value>[], roots: Roots): Finder<TrustQuery, Value> {
  const compiled = clauses.map((clause) => ({ clause, index: indexOf(clause, roots) }));
  return ({ components, sha256 }) =>
    compiled.find(({ clause, index }) => {
      const hashes = clause.matcher.sha256;
      return (hashes === undefined || hashes.includes(sha256)) && index.first(pathQuery(components, 1)) !== undefined;
    })?.clause.value;
}

function indexOf<Value>({ matcher, value, effect }: TrustClause<Value>, roots: Roots): PathIndex<Value> {
  const pattern = resolvePath(knownPath(matcher.path), roots, effect === 'restricts' ? 'folded' : 'exact');
  return pathIndex([{ pattern, order: 0, operations: 1, above: 0, value }]);
}
