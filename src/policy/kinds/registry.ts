import type { RuleOf } from '../document/rule-schema.ts';
import { registryParts, registryTargets } from '../normalise/registry-key.ts';
import { earlier, type PathEntry, type PathInParts, pathQuery } from '../patterns/resolve-path.ts';
import { pathIndex } from '../patterns/path-index.ts';
import { compileWildcard } from '../patterns/wildcard.ts';
import type { RegistryRequest } from '../request.ts';
import type { Clause, ClauseFinder } from './signal.ts';

export interface RegistryMatcher {
  readonly key: string;
  /** Bits of the operations that it covers. */
  readonly operations: number;
}

export type RegistryClause<Value> = Clause<RegistryMatcher, Value>;

const bits: Readonly<Record<RegistryRequest['operation'], number>> = { read: 1, write: 2, delete: 4, create: 8 };
export const changingRegistryOperations = bits.write | bits.create | bits.delete;
export const everyRegistryOperation = bits.read | changingRegistryOperations;

/** Undefined for an invalid key. */
export function registryQuery({ key, operation }: RegistryRequest): PathInParts | undefined {
  const components = registryParts(key);
  return components === undefined ? undefined : pathQuery(components, bits[operation]);
}

export function registryRuleClauses<Value>(
  rule: RuleOf<'registry_rule'>,
  clause: Omit<RegistryClause<Value>, 'matcher'>,
): readonly RegistryClause<Value>[] {
  const operations = rule.operations?.reduce((sum, operation) => sum | bits[operation], 0) ?? everyRegistryOperation;
  return rule.keys.map((key) => ({ ...clause, matcher: { key, operations } }));
}

/**
 * A key is a path with other slashes, and a pattern matches everything beneath too. A denial also covers every other
 * name of the key. A grant covers only the name as written.
 */
export function registryFinder<Value>(clauses: readonly RegistryClause<Value>[]): ClauseFinder<PathInParts, Value> {
  const written = pathIndex(
    clauses.map((clause, order) => entryOf(clause, order, registryParts(clause.matcher.key) ?? [])),
  );
  const refusing = pathIndex(
    clauses.flatMap((clause, order) =>
      clause.effect === 'restricts'
        ? patternTargets(clause.matcher.key).map((parts) => entryOf(clause, order, parts))
        : [],
    ),
  );
  return (query) => {
    const targets = registryTargets(query.components).map((components) =>
      refusing.first(pathQuery(components, query.operations)),
    );
    return targets.reduce(earlier, written.first(query))?.value;
  };
}

/** Returns a check that all targets of a name are one of these keys, or below one. */
export function everyTargetIn(keys: readonly string[]): (query: PathInParts) => boolean {
  const index = pathIndex(
    keys.flatMap((key, order) =>
      patternTargets(key).map((parts) =>
        entryOf({ matcher: { key, operations: everyRegistryOperation }, value: key, effect: 'allows' }, order, parts),
      ),
    ),
  );
  return (query) =>
    registryTargets(query.components).every(
      (components) => index.first(pathQuery(components, query.operations)) !== undefined,
    );
}

/** `HKLM\SOFTWARE\WOW6432Node` is below `HKLM\SOFTWARE`, so a pattern that ends there means only itself. */
function patternTargets(key: string): readonly (readonly string[])[] {
  return /\\wow(?:6432|aa32)node\\*$/iu.test(key) ? [] : registryTargets(registryParts(key) ?? []);
}

function entryOf<Value>(
  { matcher, value, effect }: RegistryClause<Value>,
  order: number,
  parts: readonly string[],
): PathEntry<Value> {
  const wild = parts.findIndex((part) => compileWildcard(part).literal === undefined);
  const base = wild === -1 ? parts : parts.slice(0, wild);
  const rest = parts.slice(base.length).map(compileWildcard);
  const pattern =
    wild === -1
      ? ({ kind: 'subtree', source: matcher.key, base } as const)
      : ({ kind: 'glob', source: matcher.key, base, rest } as const);
  const above = effect === 'restricts' ? matcher.operations & bits.delete : 0;
  return { pattern, order, operations: matcher.operations, above, value };
}
