import { foldName } from './fold-name.ts';
import { earlier, type PathEntry, type PathQuery } from './path-index.ts';
import type { NamePath } from './resolve-path.ts';
import { matchesWildcard, type Wildcard } from './wildcard.ts';

export interface NameIndex<Value> {
  readonly first: (query: PathQuery) => PathEntry<Value> | undefined;
}

/**
 * The name patterns among the entries, which are looked for at every depth of a path: a tree of folded names, entered
 * anew at each component. Most components are passed over by their first character alone.
 */
export function nameIndex<Value>(entries: readonly PathEntry<Value>[]): NameIndex<Value> {
  const root = newNode<Value>();
  for (const entry of entries) {
    if (entry.pattern.kind === 'name') place(root, entry, entry.pattern.chain);
  }
  const starts = firstCharacters(root);
  if (starts.size === 0) return { first: () => undefined };
  const isOpen = starts.has(anyCharacter);
  return {
    first(query) {
      let best: PathEntry<Value> | undefined;
      for (let start = 0; start < query.components.length; start += 1) {
        const component = query.components[start] ?? '';
        if (isOpen || starts.has(keyOf(component))) best = earlier(best, firstIn(root, query, { start, at: start }));
      }
      return best;
    },
  };
}

interface Node<Value> {
  readonly entries: PathEntry<Value>[];
  /** Entries that lie somewhere below. */
  readonly above: PathEntry<Value>[];
  readonly named: Map<string, Node<Value>>;
  readonly wild: { readonly wildcard: Wildcard; readonly node: Node<Value> }[];
}

/** Where in the path a chain began, and how far it has come. */
interface Progress {
  readonly start: number;
  readonly at: number;
}

/** The key of patterns that start with a wildcard; no name starts with NUL. */
const anyCharacter = 0;

function newNode<Value>(): Node<Value> {
  return { entries: [], above: [], named: new Map(), wild: [] };
}

function place<Value>(root: Node<Value>, entry: PathEntry<Value>, chain: readonly Wildcard[]): void {
  let node = root;
  for (const wildcard of chain) {
    node.above.push(entry);
    node = childOf(node, wildcard);
  }
  node.entries.push(entry);
}

function childOf<Value>(node: Node<Value>, wildcard: Wildcard): Node<Value> {
  if (wildcard.literal === undefined) {
    const child = newNode<Value>();
    node.wild.push({ wildcard, node: child });
    return child;
  }
  const key = foldName(wildcard.literal);
  const child = node.named.get(key) ?? newNode<Value>();
  node.named.set(key, child);
  return child;
}

function firstCharacters<Value>(root: Node<Value>): ReadonlySet<number> {
  const named = [...root.named.keys()].map(keyOf);
  const wild = root.wild.map(({ wildcard }) => {
    const unit = wildcard.units[0] ?? -1;
    return unit < 0 ? anyCharacter : keyOf(String.fromCharCode(unit));
  });
  return new Set([...named, ...wild]);
}

/** The first character as folding leaves it: what is not ASCII may fold to ASCII. */
function keyOf(name: string): number {
  const unit = name.charCodeAt(0);
  if (unit >= 0x41 && unit <= 0x5a) return unit + 32;
  return unit < 0x80 ? unit : foldName(name).charCodeAt(0);
}

function firstIn<Value>(node: Node<Value>, query: PathQuery, progress: Progress): PathEntry<Value> | undefined {
  const { start, at } = progress;
  const here = node.entries.length === 0 ? undefined : firstHere(node, query, progress);
  const component = query.components[at];
  if (component === undefined) return at === start ? here : earlier(here, firstAbove(node, query, start));
  const folded = foldName(component);
  const named = node.named.get(folded);
  let best = named === undefined ? here : earlier(here, firstIn(named, query, { start, at: at + 1 }));
  for (const branch of node.wild) {
    // Folded and exact patterns share the tree; what was meant exactly is compared once more at the end.
    if (matchesWildcard(branch.wildcard, folded) || matchesWildcard(branch.wildcard, component)) {
      best = earlier(best, firstIn(branch.node, query, { start, at: at + 1 }));
    }
  }
  return best;
}

function firstHere<Value>(node: Node<Value>, query: PathQuery, { start, at }: Progress): PathEntry<Value> | undefined {
  let best: PathEntry<Value> | undefined;
  for (const entry of node.entries) {
    if ((entry.operations & query.operations) === 0) continue;
    if (entry.depth === 'itself' && at !== query.components.length) continue;
    if (applies(entry, query, start) && !isException(entry, query.components[at - 1] ?? '')) best = earlier(best, entry);
  }
  return best;
}

function firstAbove<Value>(node: Node<Value>, query: PathQuery, start: number): PathEntry<Value> | undefined {
  let best: PathEntry<Value> | undefined;
  for (const entry of node.above) {
    if ((entry.above & query.operations) !== 0 && applies(entry, query, start)) best = earlier(best, entry);
  }
  return best;
}

function applies<Value>({ pattern, scope }: PathEntry<Value>, { components }: PathQuery, start: number): boolean {
  if (scope === 'outside-packages' && liesInPackage(components, start)) return false;
  return pattern.kind === 'name' && (pattern.letters === 'folded' || matchesExactly(pattern, components, start));
}

function matchesExactly({ chain }: NamePath, components: readonly string[], start: number): boolean {
  return chain.every((wildcard, index) => {
    const component = components[start + index];
    return component === undefined || matchesWildcard(wildcard, component);
  });
}

function isException<Value>({ exceptions }: PathEntry<Value>, name: string): boolean {
  return exceptions?.includes(foldName(name)) ?? false;
}

function liesInPackage(components: readonly string[], end: number): boolean {
  const found = components.indexOf('node_modules');
  return found !== -1 && found < end;
}
