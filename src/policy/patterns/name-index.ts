import { addBranch, type Branches, branchesFor } from './name-branches.ts';
import { nameFilter } from './name-filter.ts';
import { earlier, type NamePath, type PathEntry, type PathIndex, type PathInParts } from './resolve-path.ts';
import { foldName, matchesWildcard, type Wildcard } from './wildcard.ts';

/**
 * Indexes name patterns, which match at every depth of a path. The index is a tree of folded names, and matching starts
 * at its root for every component. The first character alone rules out most components.
 */
export function nameIndex<Value>(entries: readonly PathEntry<Value>[]): PathIndex<Value> {
  const named = entries.filter(({ pattern }) => pattern.kind === 'name');
  if (named.length === 0) return { first: () => undefined };
  const root = newNode<Value>();
  const chains = named.map((entry) => (entry.pattern.kind === 'name' ? entry.pattern.chain : []));
  for (const [index, entry] of named.entries()) place(root, entry, chains[index] ?? []);
  const mayMatch = nameFilter(chains.flatMap(([first]) => first ?? []));
  return {
    first(query) {
      let best: PathEntry<Value> | undefined;
      for (let start = 0; start < query.components.length; start += 1) {
        // A name without a known shape is always looked up.
        if (mayMatch(query.shapes[start] ?? -1)) best = earlier(best, firstIn(root, query, { start, at: start }));
      }
      return best;
    },
  };
}

interface Node<Value> {
  readonly entries: PathEntry<Value>[];
  /** Entries for nodes further down. */
  readonly above: PathEntry<Value>[];
  readonly branches: Branches<Node<Value>>;
}

/** The start of a chain in the path, and its progress. */
interface Progress {
  readonly start: number;
  readonly at: number;
}

function newNode<Value>(): Node<Value> {
  return { entries: [], above: [], branches: {} };
}

function place<Value>(root: Node<Value>, entry: PathEntry<Value>, chain: readonly Wildcard[]): void {
  let node = root;
  for (const wildcard of chain) {
    node.above.push(entry);
    node = addBranch(node.branches, wildcard, newNode<Value>);
  }
  node.entries.push(entry);
}

function firstIn<Value>(node: Node<Value>, query: PathInParts, progress: Progress): PathEntry<Value> | undefined {
  const { start, at } = progress;
  let best = node.entries.length === 0 ? undefined : firstHere(node, query, progress);
  const component = query.components[at];
  if (component === undefined) return at === start ? best : earlier(best, firstAbove(node, query, start));
  for (const below of branchesFor(node.branches, component, foldName(component))) {
    best = earlier(best, firstIn(below, query, { start, at: at + 1 }));
  }
  return best;
}

function firstHere<Value>(
  node: Node<Value>,
  query: PathInParts,
  { start, at }: Progress,
): PathEntry<Value> | undefined {
  let best: PathEntry<Value> | undefined;
  for (const entry of node.entries) {
    if ((entry.operations & query.operations) === 0) continue;
    if (entry.depth === 'itself' && at !== query.components.length) continue;
    const isException = entry.exceptions?.includes(foldName(query.components[at - 1] ?? '')) ?? false;
    if (!isException && applies(entry, query, start)) best = earlier(best, entry);
  }
  return best;
}

function firstAbove<Value>(node: Node<Value>, query: PathInParts, start: number): PathEntry<Value> | undefined {
  let best: PathEntry<Value> | undefined;
  for (const entry of node.above) {
    if ((entry.above & query.operations) !== 0 && applies(entry, query, start)) best = earlier(best, entry);
  }
  return best;
}

function applies<Value>({ pattern, scope }: PathEntry<Value>, { components }: PathInParts, start: number): boolean {
  if (scope === 'outside-packages' && isExempt(components, start)) return false;
  return pattern.kind === 'name' && (pattern.letters === 'folded' || matchesExactly(pattern, components, start));
}

function matchesExactly({ chain }: NamePath, components: readonly string[], start: number): boolean {
  return chain.every((wildcard, index) => {
    const component = components[start + index];
    return component === undefined || matchesWildcard(wildcard, component);
  });
}

/** In packages and in references of git: a branch may have any name. */
function isExempt(components: readonly string[], end: number): boolean {
  const above = components.slice(0, end);
  const git = above.indexOf('.git');
  return (
    above.includes('node_modules') ||
    (git !== -1 && above.some((word, index) => index > git && (word === 'refs' || word === 'logs')))
  );
}
