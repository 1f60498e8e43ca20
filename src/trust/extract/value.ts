/**
 * What every format is read into: no objects of JavaScript, so that no key means anything to us, and a key may be there
 * twice.
 */
export type Value =
  | { readonly kind: 'map'; readonly entries: readonly MapEntry[] }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'scalar'; readonly text: string };
export type MapEntry = readonly [key: string, value: Value];

export interface ParsedValue {
  /** As much as could be read. */
  readonly value: Value;
  /** Why the file may mean something else to its reader: broken, ambiguous, or too much. */
  readonly problem?: string;
}

export const scalar = (text: string): Value => ({ kind: 'scalar', text });
export const map = (entries: readonly MapEntry[]): Value => ({ kind: 'map', entries });
export const emptyMap: Value = map([]);

/** Deeper than any configuration, and shallow enough for every stack. */
export const deepest = 100;

/** A text that is none of its format; caught where the format's reader was called. */
export class Malformed extends Error {}
