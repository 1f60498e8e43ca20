import type { NameStatement } from './layers/layer.ts';
import type { ResolvedPath } from './patterns/resolve-path.ts';
import type { Policy } from './policy.ts';

/** A built-in chain of names that holds at every depth. Compared without regard to case. */
export interface GuardedName {
  readonly components: readonly string[];
  /** `pinned` names can be neither changed nor moved themselves, while what lies beneath may change. */
  readonly effect: 'read-only' | 'hidden' | 'pinned';
  readonly except: readonly string[];
  readonly scope: 'anywhere' | 'outside-packages';
  readonly reason: string;
}

/** Names that may be read and not written, wherever they occur; without those that are released everywhere. */
export function protectedNames(policy: Policy): readonly GuardedName[] {
  return guardedNames(policy, 'read-only');
}

/** Names that may be neither read nor written. */
export function hiddenNames(policy: Policy): readonly GuardedName[] {
  return guardedNames(policy, 'hidden');
}

/** Names that may be neither moved nor removed, while what lies beneath them may change: `.git`. */
export function pinnedNames(policy: Policy): readonly GuardedName[] {
  return namesWith(policy, ({ depth }) => depth === 'itself').map((name) => ({ ...name, effect: 'pinned' }));
}

/** Single paths that are released although their name is protected or hidden. Absolute. */
export function releasedPaths(policy: Policy): readonly string[] {
  const layers = policy.layers.filter((layer) => layer.names().some(({ name }) => name.kind !== 'holdfast'));
  const [first, ...others] = layers.map(
    (layer) => new Set(layer.names().flatMap(({ released }) => released.flatMap(literalPath))),
  );
  // Each layer that protects has to release it.
  return first === undefined ? [] : [...first].filter((path) => others.every((set) => set.has(path)));
}

function guardedNames(policy: Policy, effect: GuardedName['effect']): readonly GuardedName[] {
  return namesWith(policy, (name) => name.effect === effect && name.depth === 'beneath');
}

function namesWith(policy: Policy, wanted: (name: NameStatement['name']) => boolean): readonly GuardedName[] {
  const statements = policy.layers
    .flatMap((layer) => layer.names())
    .filter((statement) => wanted(statement.name) && !isReleasedEverywhere(statement));
  return [...new Map(statements.map(({ name }) => [name.components.join('/'), guardedName(name)])).values()];
}

function guardedName({ components, effect, except, scope, reason }: NameStatement['name']): GuardedName {
  return { components, effect, except, scope, reason };
}

/** Released by the same chain of names, or by the beginning of it. */
function isReleasedEverywhere({ name, released }: NameStatement): boolean {
  return released.some((pattern) => releases(pattern, name));
}

/** Whether a pattern of `files.release` takes a built-in name out wherever it occurs. */
export function releases(pattern: ResolvedPath, name: NameStatement['name']): boolean {
  return (
    pattern.kind === 'name' && pattern.chain.every((wildcard, index) => wildcard.source === name.components[index])
  );
}

function literalPath(pattern: ResolvedPath): readonly string[] {
  return pattern.kind === 'subtree' ? [`/${pattern.base.join('/')}`] : [];
}
