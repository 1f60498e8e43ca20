import type { CharacterSet } from './character-set.ts';

/** A pattern as it was read. */
export type Node =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly min: number; readonly max: number };

/** Why a pattern is not taken. Thrown within this folder only. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
