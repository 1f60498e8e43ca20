import type { FakeAutomaton } from '../types.ts';
import type { Begins } from './skip.ts';

/** Number of ASCII code units. */
const units = 128;

/** A set of ASCII texts that are searched for together. */
export interface Trie {
  /** Adds a text of at least two units. */
  add(text: string): void;
  /**
   * Returns true if another text contains one of the texts. The time grows with its length, and with the lengths of
   * matching beginnings in it.
   */
  standsIn(text: string): boolean;
  /**
   * Returns an automaton that finds the texts in a stream of text. It is built again after an addition, in time linear
   * in all texts.
   */
  automaton(): FakeAutomaton;
}

/** Nodes by number. 0 is the root. As a child, 0 means that the node has no such child. */
interface Nodes {
  /** Used for a node with one child. */
  readonly child: number[];
  /** Used for the root and for nodes with several children, at most as many as there are texts. By code unit. */
  readonly children: (Int32Array | undefined)[];
  readonly parent: number[];
  readonly unit: number[];
  readonly depth: number[];
  /** The node for the longest suffix of a node's text that begins another text. Only in automata. */
  readonly fallback: number[];
  /** The text that ends at a node. In an automaton it may also be one that began later. */
  readonly matched: (string | undefined)[];
}

export function createTrie(): Trie {
  const nodes: Nodes = {
    child: [0],
    children: [new Int32Array(units)],
    parent: [0],
    unit: [0],
    depth: [0],
    fallback: [0],
    matched: [undefined],
  };
  let automaton: FakeAutomaton | undefined;
  return {
    add(text) {
      automaton = undefined;
      let node = 0;
      for (let at = 0; at < text.length; at += 1)
        node = childOf(nodes, node, text.charCodeAt(at)) || addChild(nodes, node, text.charCodeAt(at));
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
  const { depth, matched } = nodes;
  return {
    begins: beginsOf(nodes),
    next: (state, unit) => next(nodes, state, unit),
    depth: (state) => depth[state] ?? 0,
    matched: (state) => matched[state],
  };
}

function beginsOf(nodes: Nodes): Begins {
  const first = new Uint8Array(units);
  const pairs = new Uint8Array(units * units);
  for (let one = 0; one < units; one += 1) {
    const node = childOf(nodes, 0, one);
    if (node === 0) continue;
    first[one] = 1;
    for (let other = 0; other < units; other += 1)
      if (childOf(nodes, node, other) !== 0) pairs[one * units + other] = 1;
  }
  return { first, pairs };
}

/** Source: Aho and Corasick, "Efficient string matching" (CACM 18, 1975), algorithm 3. Visits nodes by depth. */
function linkFallbacks(nodes: Nodes): void {
  const { parent, unit, depth, fallback, matched } = nodes;
  for (const node of byDepth(nodes)) {
    const above = parent[node] ?? 0;
    fallback[node] = above === 0 ? 0 : next(nodes, fallback[above] ?? 0, unit[node] ?? 0);
    if (matched[node]?.length !== depth[node]) matched[node] = matched[fallback[node] ?? 0];
  }
}

/** Returns all nodes except the root, by depth, in time linear in their number. */
function byDepth({ depth }: Nodes): Int32Array {
  const ends: number[] = [0];
  for (const each of depth) ends[each] = (ends[each] ?? 0) + 1;
  for (let at = 1; at < ends.length; at += 1) ends[at] = (ends[at] ?? 0) + (ends[at - 1] ?? 0);
  const sorted = new Int32Array(depth.length);
  for (let node = depth.length - 1; node >= 0; node -= 1) {
    const end = (ends[depth[node] ?? 0] ?? 0) - 1;
    ends[depth[node] ?? 0] = end;
    sorted[end] = node;
  }
  return sorted.subarray(1);
}

function next(nodes: Nodes, from: number, unit: number): number {
  for (let state = from; ; state = nodes.fallback[state] ?? 0) {
    const child = childOf(nodes, state, unit);
    if (child !== 0 || state === 0) return child;
  }
}

function childOf({ children, child, unit }: Nodes, parent: number, wanted: number): number {
  const several = children[parent];
  if (several !== undefined) return several[wanted] ?? 0;
  const only = child[parent] ?? 0;
  return unit[only] === wanted ? only : 0;
}

function addChild(nodes: Nodes, parent: number, unit: number): number {
  const node = nodes.unit.push(unit) - 1;
  nodes.parent.push(parent);
  nodes.child.push(0);
  nodes.children.push(undefined);
  nodes.depth.push((nodes.depth[parent] ?? 0) + 1);
  nodes.fallback.push(0);
  nodes.matched.push(undefined);
  const only = nodes.child[parent] ?? 0;
  if (only !== 0)
    nodes.children[parent] ??= new Int32Array(units).fill(only, nodes.unit[only], (nodes.unit[only] ?? 0) + 1);
  const several = nodes.children[parent];
  if (several === undefined) nodes.child[parent] = node;
  else several[unit] = node;
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
