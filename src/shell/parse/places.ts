import type { CompoundList, SyntaxNode } from 'unbash';
import { spanIn } from './source-text.ts';
import type { Place, Walk } from './walk.ts';

export type Of<Type extends SyntaxNode['type']> = Extract<SyntaxNode, { type: Type }>;

/** From the given one on they may not run. */
export function enterBranches(
  nodes: readonly (SyntaxNode | CompoundList)[],
  from: number,
  [place, walk]: readonly [Place, Walk],
): void {
  const later = branch(place);
  nodes.forEach((node, index) => walk.enter(node, index < from ? place : later));
}

export function branch(place: Place): Place {
  return { ...place, runs: 'conditional', after: 'any', position: 'branch' };
}

/** A copy of the shell around it. */
export function ownShell(place: Place, { findings }: Walk): Place {
  return { ...place, shell: findings.shells.push(place.shell) - 1, position: 'list' };
}

export function within(place: Place, parent: number | undefined): Place {
  return { ...place, feeds: undefined, parent, after: 'any' };
}

export function present<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

export type Reason = { readonly kind: 'syntax' | 'uncovered' | 'budget' | 'shell'; readonly message: string };

export function opaque(
  { findings }: Walk,
  reason: Reason,
  [node, place]: readonly [{ readonly pos: number; readonly end: number }, Place],
): void {
  findings.opaque.push({ ...reason, span: spanIn(place.source, node) });
}
