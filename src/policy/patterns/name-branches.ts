import { foldName, matchesWildcard, type Wildcard } from './wildcard.ts';

/** The branches of a node in the tree of names, by the next name. Folded and exact patterns share it. */
export interface Branches<Node> {
  named?: Map<string, Node>;
  /** Names such as `*.pem`, by the text after their last dot. */
  endings?: Map<string, Branch<Node>[]>;
  /** Other wildcards by their first character; `anyStart` if they match any. */
  others?: Map<number, Branch<Node>[]>;
}

interface Branch<Node> {
  readonly wildcard: Wildcard;
  readonly node: Node;
}

const anyStart = -1;
const dot = 0x2e;
const none: readonly never[] = [];

/** Returns the node behind a name, and creates it if necessary. */
export function addBranch<Node>(branches: Branches<Node>, wildcard: Wildcard, make: () => Node): Node {
  const { literal } = wildcard;
  if (literal === undefined) {
    const node = make();
    addWild(branches, { wildcard, node });
    return node;
  }
  const key = foldName(literal);
  branches.named ??= new Map();
  const known = branches.named.get(key);
  if (known !== undefined) return known;
  const node = make();
  branches.named.set(key, node);
  return node;
}

/** Returns the nodes of every pattern that matches a name, literally or folded. */
export function branchesFor<Node>(branches: Branches<Node>, name: string, folded: string): readonly Node[] {
  const { named, endings, others } = branches;
  const exact = named?.get(folded);
  const ended = endings?.get(folded.slice(folded.lastIndexOf('.') + 1));
  const started = others?.get(folded.charCodeAt(0));
  const open = others?.get(anyStart);
  if (ended === undefined && started === undefined && open === undefined) return exact === undefined ? none : [exact];
  const found: Node[] = exact === undefined ? [] : [exact];
  for (const candidates of [started, open, ended]) {
    for (const { wildcard, node } of candidates ?? none) {
      if (matchesWildcard(wildcard, folded) || (folded !== name && matchesWildcard(wildcard, name))) found.push(node);
    }
  }
  return found;
}

/** Returns the text after the last dot of `*.pem`. Undefined for wildcards of another shape. */
export function endingOf({ source, units }: Wildcard): string | undefined {
  const isEnding = source.startsWith('*') && units.lastIndexOf(dot) > 0 && units.slice(1).every((unit) => unit >= 0);
  return isEnding ? foldName(String.fromCharCode(...units.slice(units.lastIndexOf(dot) + 1))) : undefined;
}

function addWild<Node>(branches: Branches<Node>, branch: Branch<Node>): void {
  const ending = endingOf(branch.wildcard);
  if (ending !== undefined) branches.endings = append(branches.endings, ending, branch);
  else branches.others = append(branches.others, startOf(branch.wildcard), branch);
}

function startOf({ units }: Wildcard): number {
  const first = units[0] ?? anyStart;
  return first < 0 ? anyStart : foldName(String.fromCharCode(first)).charCodeAt(0);
}

function append<Key, Item>(lists: Map<Key, Item[]> = new Map(), key: Key, item: Item): Map<Key, Item[]> {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
  return lists;
}
