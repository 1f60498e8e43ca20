import { nameIndex } from './name-index.ts';
import { earlier, type PathEntry, type PathIndex, type PathInParts, type PatternSegment } from './resolve-path.ts';
import { matchesWildcard, type Wildcard } from './wildcard.ts';

/** Indexes paths as a tree of components. A look-up costs the depth of the path, not the number of patterns. */
export function pathIndex<Value>(entries: readonly PathEntry<Value>[]): PathIndex<Value> {
  const root = newNode<Value>();
  for (const entry of entries) place(root, entry);
  const names = nameIndex(entries);
  if (root.items.length === 0 && root.children === undefined && root.wild === undefined) return names;
  return { first: (query) => earlier(firstInTree(root, query, 0), names.first(query)) };
}

interface Node<Value> {
  readonly items: Item<Value>[];
  /** Entries somewhere below that also decide operations on this directory. */
  readonly above: PathEntry<Value>[];
  children?: Map<string, Node<Value>>;
  wild?: Branch<Value>[];
}

/** A component with wildcards, and the node behind it; equal ones share it. */
interface Branch<Value> {
  readonly wildcard: Wildcard;
  readonly node: Node<Value>;
}

interface Item<Value> {
  readonly entry: PathEntry<Value>;
  /** Segments after the first `**`. Undefined if none are left to match. */
  readonly rest: readonly PatternSegment[] | undefined;
}

function newNode<Value>(): Node<Value> {
  return { items: [], above: [] };
}

function place<Value>(root: Node<Value>, entry: PathEntry<Value>): void {
  const { pattern } = entry;
  if (pattern.kind === 'name') return;
  let node = root;
  for (const component of pattern.base) node = descend(node, entry, (above) => childOf(above, component));
  const segments = pattern.kind === 'glob' ? pattern.rest : [];
  for (const [index, segment] of segments.entries()) {
    if (segment === 'any-depth') {
      node.items.push({ entry, rest: segments.slice(index) });
      return;
    }
    node = descend(node, entry, (above) =>
      segment.literal === undefined ? branchOf(above, segment) : childOf(above, segment.literal),
    );
  }
  node.items.push({ entry, rest: undefined });
}

function descend<Value>(
  node: Node<Value>,
  entry: PathEntry<Value>,
  next: (node: Node<Value>) => Node<Value>,
): Node<Value> {
  if (entry.above !== 0) node.above.push(entry);
  return next(node);
}

function childOf<Value>(node: Node<Value>, component: string): Node<Value> {
  node.children ??= new Map();
  const known = node.children.get(component);
  if (known !== undefined) return known;
  const child = newNode<Value>();
  node.children.set(component, child);
  return child;
}

function branchOf<Value>(node: Node<Value>, wildcard: Wildcard): Node<Value> {
  node.wild ??= [];
  const known = node.wild.find((branch) => branch.wildcard.source === wildcard.source);
  if (known !== undefined) return known.node;
  const branch = { wildcard, node: newNode<Value>() };
  node.wild.push(branch);
  return branch.node;
}

function firstInTree<Value>(root: Node<Value>, query: PathInParts, start: number): PathEntry<Value> | undefined {
  let best: PathEntry<Value> | undefined;
  let node: Node<Value> | undefined = root;
  for (let depth = start; node !== undefined; depth += 1) {
    if (node.items.length > 0) best = earlier(best, firstAt(node, query, depth));
    const component: string | undefined = query.components[depth];
    if (component === undefined) return earlier(best, firstBelow(node, query));
    if (node.wild !== undefined) best = earlier(best, firstBehind(node.wild, query, depth));
    node = node.children?.get(component);
  }
  return best;
}

function firstBehind<Value>(
  branches: readonly Branch<Value>[],
  query: PathInParts,
  depth: number,
): PathEntry<Value> | undefined {
  let best: PathEntry<Value> | undefined;
  for (const { wildcard, node } of branches) {
    if (matchesWildcard(wildcard, query.components[depth] ?? ''))
      best = earlier(best, firstInTree(node, query, depth + 1));
  }
  return best;
}

function firstAt<Value>({ items }: Node<Value>, query: PathInParts, depth: number): PathEntry<Value> | undefined {
  let best: PathEntry<Value> | undefined;
  for (const { entry, rest } of items) {
    if ((entry.operations & query.operations) === 0 || (best !== undefined && best.order < entry.order)) continue;
    if (rest === undefined || matchesSegments(rest, query.components, depth)) best = entry;
  }
  return best;
}

function firstBelow<Value>({ above }: Node<Value>, query: PathInParts): PathEntry<Value> | undefined {
  let best: PathEntry<Value> | undefined;
  for (const entry of above) {
    if ((entry.above & query.operations) !== 0) best = earlier(best, entry);
  }
  return best;
}

/**
 * Whether the components from `start` begin with a match of the segments. Everything beneath a match matches too.
 * Backtracks only to the last `**`, which is enough and keeps hostile patterns polynomial.
 */
export function matchesSegments(
  segments: readonly PatternSegment[],
  components: readonly string[],
  start: number,
): boolean {
  let at = start;
  let index = 0;
  let resume = -1;
  let resumeIndex = -1;
  while (index < segments.length) {
    const segment = segments[index];
    const component = components[at];
    if (segment === 'any-depth') {
      index += 1;
      resumeIndex = index;
      resume = at;
    } else if (segment !== undefined && component !== undefined && matchesWildcard(segment, component)) {
      at += 1;
      index += 1;
    } else if (resumeIndex >= 0 && resume < components.length) {
      resume += 1;
      at = resume;
      index = resumeIndex;
    } else return false;
  }
  return segments[segments.length - 1] !== 'any-depth' || at < components.length;
}
