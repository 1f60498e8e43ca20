import { nameIndex } from './name-index.ts';
import type { ResolvedPath, Segment } from './resolve-path.ts';
import { matchesSegments } from './segments.ts';

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
  /** Bits; an entry answers when it shares one. */
  readonly operations: number;
}

export interface PathIndex<Value> {
  /** The entry with the lowest order that matches. */
  readonly first: (query: PathQuery) => PathEntry<Value> | undefined;
}

/** A tree of components, so that a lookup costs the depth of the path and not the number of patterns. */
export function pathIndex<Value>(entries: readonly PathEntry<Value>[]): PathIndex<Value> {
  const root: Node<Value> = { items: [], above: [] };
  for (const entry of entries) place(root, entry);
  const names = nameIndex(entries);
  return { first: (query) => earlier(firstInTree(root, query), names.first(query)) };
}

/** Of two entries the one that is tried first. */
export function earlier<Value>(a: PathEntry<Value> | undefined, b: PathEntry<Value> | undefined): PathEntry<Value> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.order < a.order ? b : a;
}

interface Node<Value> {
  readonly items: Item<Value>[];
  /** Entries that lie somewhere below, and care what happens to this directory. */
  readonly above: PathEntry<Value>[];
  children?: Map<string, Node<Value>>;
}

interface Item<Value> {
  readonly entry: PathEntry<Value>;
  /** Undefined for a subtree: there is nothing left to match. */
  readonly rest: readonly Segment[] | undefined;
}

function place<Value>(root: Node<Value>, entry: PathEntry<Value>): void {
  const { pattern } = entry;
  if (pattern.kind === 'name') return;
  let node = root;
  for (const component of pattern.base) {
    if (entry.above !== 0) node.above.push(entry);
    node = childOf(node, component);
  }
  node.items.push({ entry, rest: pattern.kind === 'glob' ? pattern.rest : undefined });
}

function childOf<Value>(node: Node<Value>, component: string): Node<Value> {
  node.children ??= new Map();
  const known = node.children.get(component);
  if (known !== undefined) return known;
  const child: Node<Value> = { items: [], above: [] };
  node.children.set(component, child);
  return child;
}

function firstInTree<Value>(root: Node<Value>, query: PathQuery): PathEntry<Value> | undefined {
  const { components } = query;
  let best: PathEntry<Value> | undefined;
  let node: Node<Value> | undefined = root;
  for (let depth = 0; node !== undefined; depth += 1) {
    if (node.items.length > 0) best = earlier(best, firstAt(node, query, depth));
    const component: string | undefined = components[depth];
    if (component === undefined) return earlier(best, firstBelow(node, query));
    node = node.children?.get(component);
  }
  return best;
}

function firstAt<Value>({ items }: Node<Value>, query: PathQuery, depth: number): PathEntry<Value> | undefined {
  let best: PathEntry<Value> | undefined;
  for (const { entry, rest } of items) {
    if ((entry.operations & query.operations) === 0 || (best !== undefined && best.order < entry.order)) continue;
    if (rest === undefined || matchesSegments(rest, query.components, depth)) best = entry;
  }
  return best;
}

function firstBelow<Value>({ above }: Node<Value>, query: PathQuery): PathEntry<Value> | undefined {
  let best: PathEntry<Value> | undefined;
  for (const entry of above) {
    if ((entry.above & query.operations) !== 0) best = earlier(best, entry);
  }
  return best;
}
