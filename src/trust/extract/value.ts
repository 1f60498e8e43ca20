/** Parsed form of every format. Contains no JavaScript objects, so that no key is special and a key may repeat. */
export type Value =
  | { readonly kind: 'map'; readonly entries: readonly MapEntry[] }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'scalar'; readonly text: string };
export type MapEntry = readonly [key: string, value: Value];

export interface ParsedValue {
  /** The readable part of the file. */
  readonly value: Value;
  /** Why the file's reader may see another meaning: broken, ambiguous, or too large. */
  readonly problem?: string;
}

export const scalar = (text: string): Value => ({ kind: 'scalar', text });
export const map = (entries: readonly MapEntry[]): Value => ({ kind: 'map', entries });
export const emptyMap: Value = map([]);

/** Deeper than any configuration, and shallow enough for every stack. */
export const deepest = 100;

/** A text that breaks its format. Caught by the caller of the format's reader. */
export class Malformed extends Error {}
