import { type NameShape, shapeOf } from './name-filter.ts';
import type { ResolvedPath } from './resolve-path.ts';

/** One pattern in a set: what it matches, in which order it is tried, and what it stands for. */
export interface PathEntry<Value> {
  readonly pattern: ResolvedPath;
  /** Lower is tried first. */
  readonly order: number;
  /** Bits of the operations it is about. */
  readonly operations: number;
  /**
   * Bits of the operations that it also answers on the directories above: deleting or renaming `.git` would carry
   * `.git/hooks` away, and leave room for another one.
   */
  readonly above: number;
  readonly value: Value;
  /** Names that are not meant although the last of a name pattern matches them, e.g. `.env.example`. */
  readonly exceptions?: readonly string[];
  /** `outside-packages` does not apply below a `node_modules` directory; only for name patterns. */
  readonly scope?: 'anywhere' | 'outside-packages';
  /** `itself` leaves alone what lies beneath a match; only for name patterns. */
  readonly depth?: 'beneath' | 'itself';
}

export interface PathQuery {
  readonly components: readonly string[];
  /** Of each component. */
  readonly shapes: readonly NameShape[];
  /** Bits; an entry answers when it shares one. */
  readonly operations: number;
}

export function pathQuery(components: readonly string[], operations: number): PathQuery {
  const shapes: NameShape[] = [];
  for (const component of components) shapes.push(shapeOf(component));
  return { components, shapes, operations };
}

export interface PathIndex<Value> {
  /** The entry with the lowest order that matches. */
  readonly first: (query: PathQuery) => PathEntry<Value> | undefined;
}

/** Of two entries the one that is tried first. */
export function earlier<Value>(
  a: PathEntry<Value> | undefined,
  b: PathEntry<Value> | undefined,
): PathEntry<Value> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.order < a.order ? b : a;
}
