import { endsFree, startsFree } from '../lib/boundaries.ts';
import type { Lead, Rule } from '../types.ts';
import { type Automaton, automatonOf, depthsOf, longestMatch } from './automaton.ts';
import { charactersOf, union } from './character-set.ts';
import { Refusal } from './node.ts';
import { readPattern } from './read-pattern.ts';

export type CompiledPattern =
  | { readonly kind: 'rule'; readonly rule: Rule }
  /** `why` goes on a sentence about the pattern: `it refers back to a group`. */
  | { readonly kind: 'refused'; readonly why: string };

/** What one place where a lead stands may cost at most: steps from a place of the pattern to another one. */
const mostWork = 8192;
const shortestLead = 3;
const longestLead = 8;
/** Of how many characters one of a lead may be: two cases, or a few ways to begin. */
const mostAlternatives = 4;

/**
 * Makes a rule of a pattern in the notation of JavaScript. The longest match counts. It is looked for in linear time, whatever the
 * text: repetitions are written out (`*` and `+` mean at most 256 times), and what one place can cost is bounded. Refused are
 * references to groups, looking ahead and behind, `^` and `$`, lazy quantifiers, `\b` within, what is not ASCII, and what can be
 * read in too many ways. `(?i)` may stand before all of it, and `\b` at the beginning and the end.
 *
 * Three characters in a row must be known, each out of at most four, the same number of characters from the beginning.
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
    if (error instanceof Refusal) return { kind: 'refused', why: error.message };
    throw error;
  }
}

/** The longest run of characters that every match has, and how far from its beginning. */
function leadOf(automaton: Automaton): { readonly lead: Lead; readonly offset: number } {
  const { depths, shortest } = depthsOf(automaton, mostWork);
  const known = depths.slice(0, shortest).map((places) => {
    const characters = charactersOf(union(places.flatMap((place) => automaton.sets[place] ?? [])));
    return characters !== undefined && characters.length > 0 && characters.length <= mostAlternatives ? characters : undefined;
  });
  let best: { lead: readonly string[]; offset: number } = { lead: [], offset: 0 };
  for (let offset = 0; offset < known.length; offset += 1) {
    const lead = runFrom(known, offset);
    if (lead.length > best.lead.length) best = { lead, offset };
  }
  if (best.lead.length < shortestLead) throw new Refusal('it has no three known characters in a row by which it could be found');
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
