import type { RuleOf } from '../document/rule-schema.ts';
import { pathComponents } from '../normalise/path.ts';
import { type PathQuery, pathQuery } from '../patterns/path-entry.ts';
import { pathIndex } from '../patterns/path-index.ts';
import { type Roots, resolvePath } from '../patterns/resolve-path.ts';
import { compileWildcard, matchesWildcard } from '../patterns/wildcard.ts';
import type { SocketRequest } from '../request.ts';
import type { Clause, Finder } from './signal.ts';
import { knownPath } from './known-pattern.ts';

export interface SocketMatcher {
  /** A path pattern, or `@glob`. */
  readonly pattern: string;
  /** Bits of the operations it is about. */
  readonly operations: number;
}

export type SocketClause<Value> = Clause<SocketMatcher, Value>;

/** A request with its path taken apart; an abstract address has none. */
export interface SocketQuery extends PathQuery {
  readonly abstract?: string;
}

const bits: Readonly<Record<SocketRequest['operation'], number>> = { connect: 1, bind: 2, send: 4 };
export const everySocketOperation = bits.connect | bits.bind | bits.send;

/** Undefined when the address is none. */
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

export function socketFinder<Value>(clauses: readonly SocketClause<Value>[], roots: Roots): Finder<SocketQuery, Value> {
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
