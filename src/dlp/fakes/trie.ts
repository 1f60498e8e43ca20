import type { FakeAutomaton } from '../types.ts';

/** Texts of ASCII that are looked for together. */
export interface Trie {
  /** A text that is not empty. */
  add(text: string): void;
  /** Whether one of the texts stands in another one. Time is its length, times how much of it is the beginning of one. */
  standsIn(text: string): boolean;
  /** Finds them as a text comes. Made again, in time of all texts, where one was added since. */
  automaton(): FakeAutomaton;
}

/** Nodes by number; 0 is the root, and stands for none among children and siblings. */
interface Nodes {
  readonly unit: number[];
  readonly child: number[];
  readonly sibling: number[];
  readonly depth: number[];
  /** The node of the longest end of a node's text that is the beginning of another. Only in automata. */
  readonly fallback: number[];
  /** The text that ends at a node; in automata also one that ends there and began later. */
  readonly matched: (string | undefined)[];
  /** The root's children by code unit: most characters of most texts are looked up here. */
  readonly first: Int32Array;
}

export function createTrie(): Trie {
  const nodes: Nodes = { unit: [0], child: [0], sibling: [0], depth: [0], fallback: [0], matched: [undefined], first: new Int32Array(128) };
  let automaton: FakeAutomaton | undefined;
  return {
    add(text) {
      automaton = undefined;
      let node = 0;
      for (let at = 0; at < text.length; at += 1) node = childOf(nodes, node, text.charCodeAt(at)) || addChild(nodes, node, text.charCodeAt(at));
      nodes.matched[node] = text;
    },
    standsIn: (text) => {
      for (let start = 0; start < text.length; start += 1) if (beginsAt(nodes, text, start)) return true;
      return false;
    },
    automaton: () => (automaton ??= automatonOf(nodes)),
  };
}

function automatonOf(nodes: Nodes): FakeAutomaton {
  linkFallbacks(nodes);
  const { first, depth, matched } = nodes;
  return {
    next: (state, unit) => next(nodes, state, unit),
    depth: (state) => depth[state] ?? 0,
    matched: (state) => matched[state],
    skip(text, from) {
      let at = from;
      while (at < text.length && (first[text.charCodeAt(at)] ?? 0) === 0) at += 1;
      return at;
    },
  };
}

/** Source: Aho and Corasick, "Efficient string matching" (CACM 18, 1975), algorithm 3. Nodes are gone through by their depth. */
function linkFallbacks(nodes: Nodes): void {
  const { unit, child, sibling, fallback, matched, depth } = nodes;
  const queue: number[] = [0];
  for (let at = 0; at < queue.length; at += 1) {
    const parent = queue[at] ?? 0;
    for (let node = child[parent] ?? 0; node !== 0; node = sibling[node] ?? 0) {
      fallback[node] = parent === 0 ? 0 : next(nodes, fallback[parent] ?? 0, unit[node] ?? 0);
      if (matched[node]?.length !== depth[node]) matched[node] = matched[fallback[node] ?? 0];
      queue.push(node);
    }
  }
}

function next(nodes: Nodes, from: number, unit: number): number {
  for (let state = from; ; state = nodes.fallback[state] ?? 0) {
    const child = childOf(nodes, state, unit);
    if (child !== 0 || state === 0) return child;
  }
}

function childOf({ first, child, sibling, unit }: Nodes, parent: number, wanted: number): number {
  if (parent === 0) return first[wanted] ?? 0;
  let node = child[parent] ?? 0;
  while (node !== 0 && unit[node] !== wanted) node = sibling[node] ?? 0;
  return node;
}

function addChild(nodes: Nodes, parent: number, unit: number): number {
  const node = nodes.unit.push(unit) - 1;
  nodes.sibling.push(nodes.child[parent] ?? 0);
  nodes.child[parent] = node;
  nodes.child.push(0);
  nodes.depth.push((nodes.depth[parent] ?? 0) + 1);
  nodes.fallback.push(0);
  nodes.matched.push(undefined);
  if (parent === 0) nodes.first[unit] = node;
  return node;
}

function beginsAt(nodes: Nodes, text: string, start: number): boolean {
  let node = 0;
  for (let at = start; at < text.length; at += 1) {
    node = childOf(nodes, node, text.charCodeAt(at));
    if (node === 0) return false;
    if (nodes.matched[node]?.length === nodes.depth[node]) return true;
  }
  return false;
}
