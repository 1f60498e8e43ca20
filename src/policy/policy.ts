import { closedLayer } from './layers/closed.ts';
import type { Layer } from './layers/layer.ts';
import { layerKinds } from './verdict.ts';

/** What holds for a session: layers in their canonical order, each once. Made by `policyOf` and `meet`, and immutable. */
export interface Policy {
  readonly layers: readonly Layer[];
}

/** The policy of these layers. Without a user layer nothing is granted, so nothing is allowed. */
export function policyOf(layers: readonly Layer[]): Policy {
  const based = layers.some(({ kind }) => kind === 'user') ? layers : [...layers, closedLayer()];
  const unique = new Map(based.map((layer) => [layer.id, layer]));
  return { layers: [...unique.values()].toSorted(canonicalOrder) };
}

/**
 * The policy that allows what both allow: commutative, associative and idempotent, because a policy is a set of layers
 * and the strictest of them decides.
 */
export function meet(a: Policy, b: Policy): Policy {
  return policyOf([...a.layers, ...b.layers]);
}

function canonicalOrder(a: Layer, b: Layer): number {
  const order = layerKinds.indexOf(a.kind) - layerKinds.indexOf(b.kind);
  if (order !== 0) return order;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
