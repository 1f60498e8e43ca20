import type { RuleLead, SecretRule, MatchSpan } from '../rules/types.ts';
import type { Finding, Scanner } from '../types.ts';
import { createPairTable, markPairs, type PairTable } from './pair-table.ts';

/** Finds the session's own secrets, in every known spelling. Its results are in no particular order. */
export interface ExactFinder {
  find(text: string): readonly MatchSpan[];
}

export interface ScannerOptions {
  readonly rules: readonly SecretRule[];
  readonly exact?: ExactFinder;
  /**
   * Returns the rank of a rule by its name. If findings overlap, the one with the higher rank counts. Default: all
   * ranks are equal.
   */
  readonly rank?: (rule: string) => number;
}

/** Creates a scanner for rules and exact secrets. It accepts any text, and takes time linear in its length. */
export function createScanner({ rules, exact, rank = () => 0 }: ScannerOptions): Scanner {
  const finder = finderOf(rules);
  return {
    find(text) {
      const found: Finding[] = [];
      finder.each(text, (rule, at) => {
        const span = rule.match(text, at);
        if (span !== undefined) found.push({ rule: rule.name, start: span.start, end: span.end });
      });
      const secrets = exact?.find(text).map(({ start, end }) => ({ rule: 'session-secret', start, end })) ?? [];
      return settleFindings(secrets, found, rank);
    },
  };
}

/** The finders of rules that are still in use, by their first rule. A finder keeps no text. */
const finders = new WeakMap<SecretRule, { readonly rules: readonly SecretRule[]; readonly finder: RuleFinder }>();
type RuleFinder = LeadFinder<SecretRule>;

/** Sessions share the finder of the same rules, because its tables take milliseconds and 200 KB. */
function finderOf(rules: readonly SecretRule[]): RuleFinder {
  const [first] = rules;
  const before = first && finders.get(first);
  if (before?.rules.length === rules.length && before.rules.every((rule, place) => rule === rules[place]))
    return before.finder;
  const finder = createLeadFinder(rules.flatMap((rule) => rule.leads.map((lead) => ({ of: rule, lead }))));
  if (first !== undefined) finders.set(first, { rules: [...rules], finder });
  return finder;
}

/**
 * Returns findings in order, without overlaps. The earlier and longer finding counts, and a later one keeps the part
 * beyond it, so everything that was found stays covered. A session's own secrets win over all others, and then findings
 * of a higher rank. Attack: a rule with a milder mode that finds a key together with its surroundings.
 */
export function settleFindings(
  secrets: readonly Finding[],
  others: readonly Finding[],
  rank: (rule: string) => number = () => 0,
): readonly Finding[] {
  const held = withoutOverlap(secrets);
  if (others.length === 0) return held;
  const ranked = [...Map.groupBy(others, ({ rule }) => rank(rule))].toSorted(([one], [other]) => other - one);
  return ranked.reduce((all, [, found]) => beside(all, withoutOverlap(found)), held);
}

function beside(held: readonly Finding[], rest: readonly Finding[]): readonly Finding[] {
  return held.length === 0 ? rest : [...held, ...outside(rest, held)].toSorted(inOrder);
}

function withoutOverlap(findings: readonly Finding[]): readonly Finding[] {
  const kept: Finding[] = [];
  let covered = 0;
  for (const finding of findings.toSorted(inOrder)) {
    if (finding.end <= Math.max(covered, finding.start)) continue;
    kept.push(finding.start >= covered ? finding : { ...finding, start: covered });
    covered = finding.end;
  }
  return kept;
}

function inOrder(a: Finding, b: Finding): number {
  return a.start - b.start || b.end - a.end;
}

/** Returns the parts of `findings` that `held` does not cover. Both are in order and without overlaps. */
function outside(findings: readonly Finding[], held: readonly Finding[]): readonly Finding[] {
  const pieces: Finding[] = [];
  let next = 0;
  for (const { rule, start, end } of findings) {
    let from = start;
    while ((held[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    for (let index = next; (held[index]?.start ?? Number.POSITIVE_INFINITY) < end; index += 1) {
      const hole = held[index] ?? { start: end, end };
      if (hole.start > from) pieces.push({ rule, start: from, end: hole.start });
      from = hole.end;
    }
    if (from < end) pieces.push({ rule, start: from, end });
  }
  return pieces;
}

/** Calls back for each occurrence of a lead in a text. */
interface LeadFinder<Of> {
  each(text: string, visit: (of: Of, at: number) => void): void;
}

interface Entry<Of> {
  readonly of: Of;
  /** For each position, which of 128 characters are possible. */
  readonly places: readonly Uint8Array[];
  /** Distance of the indexed pair from the beginning of the lead. */
  readonly offset: number;
}

const chunkSize = 32_768;
/** Chunks overlap, so that a pair's neighbours are in the same bytes even at both ends of a chunk. */
const margin = 2;

/**
 * Finds all leads, which have three or more positions, in one pass. Two neighbouring characters show which leads are
 * possible, and most pairs belong to no lead. The pairs of a chunk are marked first and checked afterwards, so the pass
 * itself calls no functions.
 */
export function createLeadFinder<Of>(leads: readonly { readonly of: Of; readonly lead: RuleLead }[]): LeadFinder<Of> {
  // Of two neighbouring pairs, one begins at an even offset of the text. Only those are checked.
  const table = createPairTable(
    leads.flatMap(({ of, lead }) => {
      const places = lead.map(setOf);
      const first = triplePlace(lead);
      const [before = '', middle = '', after = ''] = lead.slice(first, first + 3);
      const entry = (offset: number): Entry<Of> => ({ of, places, offset });
      return [
        { pair: [before, middle], after, of: entry(first) },
        { pair: [middle, after], before, of: entry(first + 1) },
      ] as const;
    }),
  );
  return {
    each(text, visit) {
      const bytes = Buffer.allocUnsafe(Math.min(text.length, chunkSize) + 2 * margin);
      const marked = new Uint16Array(bytes.length >> 1);
      for (let from = 0; from + 1 < text.length; from += chunkSize) {
        const begin = Math.max(0, from - margin);
        // The low eight bits of each character, because bytes are faster to read than the characters of a string.
        bytes.write(text.slice(begin, from + chunkSize + margin), margin - (from - begin), 'latin1');
        const end = margin + Math.min(text.length - from, chunkSize);
        const count = markPairs(bytes, { start: margin, end, table, marked });
        visitMarked(bytes, { text, from, table, marked, count, visit });
      }
    },
  };
}

interface Marked<Of> {
  readonly text: string;
  /** Offset of the chunk in the text. */
  readonly from: number;
  readonly table: PairTable<Entry<Of>>;
  readonly marked: Uint16Array;
  readonly count: number;
  readonly visit: (of: Of, at: number) => void;
}

function visitMarked<Of>(bytes: Buffer, { text, from, table, marked, count, visit }: Marked<Of>): void {
  for (let index = 0; index < count; index += 1) {
    const place = (marked[index] ?? 0) * 2;
    for (const { of, places, offset } of table.at(bytes, place)) {
      const at = from + place - margin - offset;
      if (standsAt(places, text, at)) visit(of, at);
    }
  }
}

function standsAt(places: readonly Uint8Array[], text: string, at: number): boolean {
  for (let place = 0; place < places.length; place += 1) {
    if (places[place]?.[text.charCodeAt(at + place)] !== 1) return false;
  }
  return true;
}

/** Approximate frequencies of characters in source code. A lead is indexed by its rarest characters. */
const frequencies: readonly (readonly [RegExp, number])[] = [
  [/[jkqvwxz]/u, 4],
  [/[etaoinsrlcd \n]/u, 30],
  [/[a-z.]/u, 12],
  [/[A-Z\d_/-]/u, 3],
];

/** Returns where the two neighbouring pairs of a lead begin that are rarest together. */
function triplePlace(lead: RuleLead): number {
  const costs = lead.slice(1).map((characters, place) => frequencyOf(lead[place] ?? '') * frequencyOf(characters));
  const sums = costs.slice(1).map((cost, place) => cost + (costs[place] ?? 0));
  return Math.max(0, sums.indexOf(Math.min(...sums)));
}

/** Returns which of 128 characters are in a set. */
function setOf(characters: string): Uint8Array {
  const set = new Uint8Array(128);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}

function frequencyOf(characters: string): number {
  return [...characters].reduce(
    (sum, character) => sum + (frequencies.find(([form]) => form.test(character))?.[1] ?? 1),
    0,
  );
}
