import type { RuleOf } from '../document/rule-schema.ts';
import { pathComponents } from '../normalise/path.ts';
import { pathIndex } from '../patterns/path-index.ts';
import { type PathIndex, pathQuery, type PathInParts, resolvePath, type Roots } from '../patterns/resolve-path.ts';
import { compileWildcard, matchesWildcard } from '../patterns/wildcard.ts';
import type { SocketRequest, TrustRequest } from '../request.ts';
import { knownPath } from './known-pattern.ts';
import type { Clause, ClauseFinder } from './signal.ts';

export interface TrustMatcher {
  readonly path: string;
  /** Undefined: any content matches. */
  readonly sha256?: readonly string[] | undefined;
}

export type TrustClause<Value> = Clause<TrustMatcher, Value>;

export interface TrustQuery {
  readonly components: readonly string[];
  readonly sha256: string;
}

/** Undefined for an invalid path or hash, because nothing may be trusted by a hash that was not computed. */
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

/** Each clause has its own index: there are few, and each checks the hash in turn. */
export function trustFinder<Value>(
  clauses: readonly TrustClause<Value>[],
  roots: Roots,
): ClauseFinder<TrustQuery, Value> {
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

interface SocketMatcher {
  /** A path pattern, or `@glob`. */
  readonly pattern: string;
  /** Bits of the operations that it covers. */
  readonly operations: number;
}

type SocketClause<Value> = Clause<SocketMatcher, Value>;

/** A request with its path split. An abstract address has no path. */
export interface SocketQuery extends PathInParts {
  readonly abstract?: string;
}

const bits: Readonly<Record<SocketRequest['operation'], number>> = { connect: 1, bind: 2, send: 4 };
export const everySocketOperation = bits.connect | bits.bind | bits.send;

/** Undefined for an invalid address. */
export function socketQuery({ address, operation }: SocketRequest): SocketQuery | undefined {
  const operations = bits[operation];
  if (address.startsWith('@'))
    return address.isWellFormed() ? { ...pathQuery([], operations), abstract: address } : undefined;
  const components = pathComponents(address);
  return components === undefined ? undefined : pathQuery(components, operations);
}

function isAbstract(address: string): boolean {
  return address.startsWith('@');
}

export function socketRuleClauses<Value>(
  rule: RuleOf<'socket'>,
  clause: Omit<SocketClause<Value>, 'matcher'>,
): readonly SocketClause<Value>[] {
  const operations = rule.operations?.reduce((sum, operation) => sum | bits[operation], 0) ?? everySocketOperation;
  return rule.addresses.map((pattern) => ({ ...clause, matcher: { pattern, operations } }));
}

export function socketFinder<Value>(
  clauses: readonly SocketClause<Value>[],
  roots: Roots,
): ClauseFinder<SocketQuery, Value> {
  const files = pathIndex(
    clauses.flatMap(({ matcher, value, effect }, order) => {
      if (isAbstract(matcher.pattern)) return [];
      const pattern = resolvePath(knownPath(matcher.pattern), roots, effect === 'restricts' ? 'folded' : 'exact');
      return [{ pattern, order, operations: matcher.operations, above: 0, value }];
    }),
  );
  const abstract = clauses
    .filter(({ matcher }) => isAbstract(matcher.pattern))
    .map(({ matcher, value }) => ({
      value,
      operations: matcher.operations,
      wildcard: compileWildcard(matcher.pattern),
    }));
  return (query) => {
    const { abstract: name } = query;
    if (name === undefined) return files.first(query)?.value;
    return abstract.find(
      ({ operations, wildcard }) => (operations & query.operations) !== 0 && matchesWildcard(wildcard, name),
    )?.value;
  };
}
