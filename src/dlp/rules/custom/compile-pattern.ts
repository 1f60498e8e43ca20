import { endsFree, startsFree } from '../lib/boundaries.ts';
import type { RuleLead, SecretRule } from '../types.ts';
import { type CharacterSet, charactersOf, has, type Node, PatternRefusal, union } from './character-set.ts';
import { readPattern } from './read-pattern.ts';

export type CompiledPattern =
  | { readonly kind: 'rule'; readonly rule: SecretRule }
  /** `why` completes a sentence about the pattern: `it refers back to a group`. */
  | { readonly kind: 'refused'; readonly why: string };

/** Most steps from one state of the pattern to another, for one occurrence of a lead. */
const mostWork = 8192;
const shortestLead = 3;
const longestLead = 8;
/** Most characters in one position of a lead: two cases, or a few alternatives. */
const mostAlternatives = 4;

/**
 * Compiles a pattern in JavaScript's notation into a rule. The longest match counts. The search takes linear time for
 * any text. Repetitions are expanded (`*` and `+` mean at most 256 times), and the cost of one position is bounded. It
 * refuses back references, lookaround, `^` and `$`, lazy quantifiers, `\b` inside the pattern, non-ASCII characters,
 * and patterns with too many readings. `(?i)` may precede the whole pattern, and `\b` may be at its beginning and end.
 *
 * Every match must contain three known characters in a row, each one of at most four, at a fixed distance from its
 * beginning.
 */
export function compilePattern(source: string, name = 'custom'): CompiledPattern {
  try {
    const { node, border } = readPattern(source);
    const automaton = automatonOf(node);
    const { lead, offset } = leadOf(automaton);
    return {
      kind: 'rule',
      rule: {
        name,
        leads: [lead],
        match(text, at) {
          const start = at - offset;
          if (start < 0 || (border.before && !startsFree(text, start))) return undefined;
          const end = longestMatch(automaton, text, start);
          return end === undefined || (border.after && !endsFree(text, end)) ? undefined : { start, end };
        },
        sources: ['the policy'],
      },
    };
  } catch (error) {
    if (error instanceof PatternRefusal) return { kind: 'refused', why: error.message };
    throw error;
  }
}

/** Returns the longest run of characters that every match contains, and its distance from the beginning. */
function leadOf(automaton: Automaton): { readonly lead: RuleLead; readonly offset: number } {
  const { depths, shortest } = depthsOf(automaton, mostWork);
  const known = depths.slice(0, shortest).map((places) => {
    const characters = charactersOf(union(places.flatMap((place) => automaton.sets[place] ?? [])));
    return characters !== undefined && characters.length > 0 && characters.length <= mostAlternatives
      ? characters
      : undefined;
  });
  let best: { lead: readonly string[]; offset: number } = { lead: [], offset: 0 };
  for (let offset = 0; offset < known.length; offset += 1) {
    const lead = runFrom(known, offset);
    if (lead.length > best.lead.length) best = { lead, offset };
  }
  if (best.lead.length < shortestLead)
    throw new PatternRefusal('it has no three known characters in a row to search for');
  return best;
}

function runFrom(known: readonly (string | undefined)[], offset: number): readonly string[] {
  const run: string[] = [];
  for (const characters of known.slice(offset, offset + longestLead)) {
    if (characters === undefined) return run;
    run.push(characters);
  }
  return run;
}

/** Possible continuations: positions of the pattern, or its end. */
interface State {
  readonly places: readonly number[];
  readonly accepts: boolean;
}

/** A pattern with all repetitions expanded. It has no loops, so a text is read no further than the pattern's length. */
interface Automaton {
  /** Possible characters in each position. */
  readonly sets: readonly CharacterSet[];
  readonly start: State;
  /** Positions that can follow each position. */
  readonly follow: readonly State[];
}

const mostPlaces = 1024;
const mostFollowers = 16_384;

function automatonOf(node: Node): Automaton {
  const sets: CharacterSet[] = [];
  const follow: State[] = [];
  let followers = 0;
  const both = (one: State, other: State): State => {
    const places = [...new Set([...one.places, ...other.places])];
    followers += places.length;
    if (followers > mostFollowers) throw new PatternRefusal('too many of its parts are optional');
    return { places, accepts: one.accepts || other.accepts };
  };
  const build = (node: Node, after: State): State => {
    switch (node.kind) {
      case 'set':
        if (sets.length >= mostPlaces)
          throw new PatternRefusal(`with its repetitions expanded it has more than ${mostPlaces} positions`);
        follow.push(after);
        return { places: [sets.push(node.set) - 1], accepts: false };
      case 'sequence':
        return node.parts.reduceRight((rest, part) => build(part, rest), after);
      case 'choice':
        return node.options.map((option) => build(option, after)).reduce(both);
      case 'repeat': {
        let state = after;
        for (let count = node.max; count > node.min; count -= 1) state = both(build(node.node, state), after);
        for (let count = node.min; count > 0; count -= 1) state = build(node.node, state);
        return state;
      }
    }
  };
  const start = build(node, { places: [], accepts: true });
  return { sets, start, follow };
}

/** Returns the end of the longest match from `start`. Undefined if nothing matches. */
function longestMatch({ sets, start, follow }: Automaton, text: string, from: number): number | undefined {
  let end: number | undefined;
  let candidates: Iterable<number> = start.places;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const next = new Set<number>();
    for (const place of candidates) {
      if (!has(sets[place] ?? new Uint8Array(), code)) continue;
      const state = follow[place];
      if (state?.accepts === true) end = at + 1;
      for (const each of state?.places ?? []) next.add(each);
    }
    if (next.size === 0) return end;
    candidates = next;
  }
  return end;
}

/** Returns the possible positions of a match after each number of characters, and the length of the shortest match. */
function depthsOf(
  { start, follow }: Automaton,
  mostWork: number,
): { readonly depths: readonly (readonly number[])[]; readonly shortest: number } {
  const depths: (readonly number[])[] = [];
  let shortest = start.accepts ? 0 : Number.POSITIVE_INFINITY;
  let work = 0;
  for (let places: readonly number[] = start.places; places.length > 0; ) {
    depths.push(places);
    const next = new Set<number>();
    for (const place of places) {
      const state = follow[place];
      work += 1 + (state?.places.length ?? 0);
      if (state?.accepts === true) shortest = Math.min(shortest, depths.length);
      for (const each of state?.places ?? []) next.add(each);
    }
    if (work > mostWork) throw new PatternRefusal('one text can be read in too many ways');
    places = [...next];
  }
  return { depths, shortest };
}
