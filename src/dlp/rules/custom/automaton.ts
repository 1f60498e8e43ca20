import { type CharacterSet, has } from './character-set.ts';
import { type Node, Refusal } from './node.ts';

/** What may come next: places of the pattern, or its end. */
interface State {
  readonly places: readonly number[];
  readonly accepts: boolean;
}

/** A pattern with all repetitions written out: it has no loops, so a text is read no further than it is deep. */
export interface Automaton {
  /** What may stand at each place. */
  readonly sets: readonly CharacterSet[];
  readonly start: State;
  /** What may follow each place. */
  readonly follow: readonly State[];
}

const mostPlaces = 1024;
const mostFollowers = 16_384;

export function automatonOf(node: Node): Automaton {
  const sets: CharacterSet[] = [];
  const follow: State[] = [];
  let followers = 0;
  const both = (one: State, other: State): State => {
    const places = [...new Set([...one.places, ...other.places])];
    followers += places.length;
    if (followers > mostFollowers) throw new Refusal('too many of its parts may be left out');
    return { places, accepts: one.accepts || other.accepts };
  };
  const build = (node: Node, after: State): State => {
    switch (node.kind) {
      case 'set':
        if (sets.length >= mostPlaces) throw new Refusal(`with its repetitions written out it has more than ${mostPlaces} places`);
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

/** Where the longest match from `start` ends; undefined where there is none. */
export function longestMatch({ sets, start, follow }: Automaton, text: string, from: number): number | undefined {
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

/** The places that a match may be at, for each number of characters that were read, and the length of the shortest match. */
export function depthsOf({ start, follow }: Automaton, mostWork: number): { readonly depths: readonly (readonly number[])[]; readonly shortest: number } {
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
    if (work > mostWork) throw new Refusal('one text can be read in too many ways');
    places = [...next];
  }
  return { depths, shortest };
}
