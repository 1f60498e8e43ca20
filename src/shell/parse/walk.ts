import { forEachChild, type SyntaxNode } from 'unbash';
import type { Invocation, Opacity, Stdin, Word } from '../types.ts';
import { createCoverage, type SourceText } from './coverage.ts';
import type { Meter, ParsedCommand } from './meter.ts';
import type { Loop } from './settled.ts';

/** A node's place among the commands. */
export interface NodePlace {
  readonly source: SourceText;
  readonly parent: number | undefined;
  readonly relation: Invocation['relation'];
  readonly runs: Invocation['runs'];
  readonly stdin: Stdin;
  /** Its number in `Findings.shells`. */
  readonly shell: number;
  readonly after: ParsedCommand['after'];
  readonly position: ParsedCommand['place'];
  /** Number of scripts around it. */
  readonly depth: number;
  /** `compound`: in a substitution of more than one simple command or pipeline. */
  readonly nesting: 'plain' | 'compound';
  /** `characters`: in arithmetic and subscripts, where single quotes do not prevent expansion. */
  readonly quotes: 'quotes' | 'characters';
  /** For a command that is a whole stage of a pipeline: the input of the next stage, which gets its number. */
  readonly feeds?: Pipe | undefined;
  /** Functions around it, the innermost last. */
  readonly inside?: readonly string[];
  /** The innermost job around it that `&` starts. */
  readonly job?: ParsedCommand['job'];
  /** In a loop that does not end by itself. `background`: also in a list that the loop does not wait for. */
  readonly endless?: 'loop' | 'background';
}

/** Written to only during the walk. */
export interface Pipe {
  readonly kind: 'pipe';
  from: number | undefined;
}

/** The findings of a walk so far. */
export interface WalkFindings {
  readonly invocations: ParsedCommand[];
  readonly defined: Set<string>;
  readonly opaque: Opacity[];
  readonly sources: SourceText[];
  readonly shells: (number | undefined)[];
  readonly loops: Loop[];
  /** Words that are code if the shell reads them as variables. They are a risk in a text that calculates. */
  readonly payloads: Word[];
  calculates: boolean;
  readonly language: 'bash' | 'posix';
}

export type Enter = (node: SyntaxNode, place: NodePlace) => void;

/** Operations for visitors. Nodes are entered later, in the given order. */
export interface SyntaxWalk {
  readonly findings: WalkFindings;
  readonly meter: Meter;
  readonly enter: Enter;
  readonly enterChildren: Enter;
}

export type Visit = (node: SyntaxNode, place: NodePlace, walk: SyntaxWalk) => void;

export function openSource(text: string, stands?: SourceText['stands']): SourceText {
  return { text, stands, coverage: createCoverage(text) };
}

/**
 * Visits all nodes in the order of the text. Uses an array as its stack, because hostile texts nest deeper than calls
 * may. Stops when the meter is exhausted, and returns whether it reached the end.
 */
export function walkSyntax(
  root: SyntaxNode,
  place: NodePlace,
  { findings, meter, visit }: { readonly findings: WalkFindings; readonly meter: Meter; readonly visit: Visit },
): boolean {
  const nodes: SyntaxNode[] = [root];
  const places: NodePlace[] = [place];
  const enter: Enter = (node, at) => {
    nodes.push(node);
    places.push(at);
  };
  let around = place;
  const enterHere = (node: SyntaxNode): void => enter(node, around);
  const enterChildren: Enter = (node, at) => {
    around = at;
    forEachChild(node, enterHere);
  };
  const state: SyntaxWalk = { findings, meter, enter, enterChildren };
  for (
    let node = nodes.pop(), at = places.pop();
    node !== undefined && at !== undefined;
    node = nodes.pop(), at = places.pop()
  ) {
    if (!meter.spend(stepsOf(node))) return false;
    const floor = nodes.length;
    visit(node, at, state);
    reverseFrom(nodes, floor);
    reverseFrom(places, floor);
  }
  return true;
}

/** The parser reads nested parts on demand, and again at each level. */
function stepsOf({ pos, end }: SyntaxNode): number {
  return 1 + ((end - pos) >> 6);
}

/** The last pushed item is visited first. Reversed, children are visited in the order of the text. */
function reverseFrom<T>(items: T[], floor: number): void {
  for (let low = floor, high = items.length - 1; low < high; low++, high--) {
    const item = items[low] as T;
    items[low] = items[high] as T;
    items[high] = item;
  }
}
