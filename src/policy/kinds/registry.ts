import type { RuleOf } from '../document/types.ts';
import { registryParts } from '../normalise/registry-key.ts';
import { pathIndex, type PathEntry, type PathQuery } from '../patterns/path-index.ts';
import { compileWildcard } from '../patterns/wildcard.ts';
import type { RegistryRequest } from '../request.ts';
import type { Clause, Finder } from './clause.ts';

export interface RegistryMatcher {
  readonly key: string;
  /** Bits of the operations it is about. */
  readonly operations: number;
}

export type RegistryClause<Value> = Clause<RegistryMatcher, Value>;

const bits: Readonly<Record<RegistryRequest['operation'], number>> = { read: 1, write: 2, delete: 4 };
export const everyRegistryOperation = bits.read | bits.write | bits.delete;

/** Undefined when the key is none. */
export function registryQuery({ key, operation }: RegistryRequest): PathQuery | undefined {
  const components = registryParts(key);
  return components === undefined ? undefined : { components, operations: bits[operation] };
}

export function registryRuleClauses<Value>(rule: RuleOf<'registry_rule'>, clause: Omit<RegistryClause<Value>, 'matcher'>): readonly RegistryClause<Value>[] {
  const operations = rule.operations?.reduce((sum, operation) => sum | bits[operation], 0) ?? everyRegistryOperation;
  return rule.keys.map((key) => ({ ...clause, matcher: { key, operations } }));
}

/** A key is a path with other slashes: what matches it matches everything beneath. */
export function registryFinder<Value>(clauses: readonly RegistryClause<Value>[]): Finder<PathQuery, Value> {
  const index = pathIndex(clauses.map(entryOf));
  return (query) => index.first(query)?.value;
}

function entryOf<Value>({ matcher, value, effect }: RegistryClause<Value>, order: number): PathEntry<Value> {
  const parts = registryParts(matcher.key) ?? [];
  const wild = parts.findIndex((part) => compileWildcard(part).literal === undefined);
  const base = wild === -1 ? parts : parts.slice(0, wild);
  const rest = parts.slice(base.length).map(compileWildcard);
  const pattern = wild === -1 ? ({ kind: 'subtree', source: matcher.key, base } as const) : ({ kind: 'glob', source: matcher.key, base, rest } as const);
  const above = effect === 'restricts' ? matcher.operations & bits.delete : 0;
  return { pattern, order, operations: matcher.operations, above, value };
}
