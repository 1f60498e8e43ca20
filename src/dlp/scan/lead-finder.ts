import type { Lead } from '../rules/types.ts';

/** Calls back for each place of a text where a lead stands. */
export interface LeadFinder<Of> {
  each(text: string, visit: (of: Of, at: number) => void): void;
}

interface Entry<Of> {
  readonly of: Of;
  /** For each place, which of 128 characters may stand there. */
  readonly places: readonly Uint8Array[];
  /** How far from its beginning the pair stands that it is found by. */
  readonly offset: number;
}

/** Two characters, of seven bits each. Others fall together with these, and are told apart where all of a lead is looked at. */
const pairs = 1 << 14;
const chunkSize = 32_768;
/** How often a character stands in source code, roughly: a lead is found by the pair of its characters that is rarest there. */
const frequencies: readonly (readonly [RegExp, number])[] = [[/[jkqvwxz]/u, 4], [/[etaoinsrlcd \n]/u, 30], [/[a-z.]/u, 12], [/[A-Z\d_/-]/u, 3]];

/**
 * Finds all leads, of three places or more, in one pass: what two neighbouring characters are tells which leads are worth a look, and
 * most pairs are of none.
 */
export function createLeadFinder<Of>(leads: readonly { readonly of: Of; readonly lead: Lead }[]): LeadFinder<Of> {
  const buckets: Entry<Of>[][] = [];
  const isOfSome = new Uint8Array(pairs);
  for (const { of, lead } of leads) {
    const places = lead.map(setOf);
    const rarest = rarestPlace(lead);
    // One of two neighbouring pairs begins at an even place of the text, and only those are looked at.
    for (const offset of [rarest, rarest + 1]) {
      for (const pair of pairsAt(lead, offset)) {
        (buckets[pair] ??= []).push({ of, places, offset });
        isOfSome[pair] = 1;
      }
    }
  }
  const look = (text: string, at: number, visit: (of: Of, at: number) => void): void => {
    for (const { of, places, offset } of buckets[pairAt(text, at)] ?? []) {
      if (standsAt(places, text, at - offset)) visit(of, at - offset);
    }
  };
  return {
    each(text, visit) {
      const bytes = Buffer.allocUnsafe(Math.min(text.length, chunkSize));
      for (let from = 0; from + 1 < text.length; from += chunkSize) {
        // The low eight bits of each character: bytes are read faster than characters of a string.
        const length = bytes.write(text.slice(from, from + chunkSize), 'latin1');
        for (let at = 0; at + 1 < length; at += 2) {
          if (isOfSome[(((bytes[at] ?? 0) & 127) << 7) | ((bytes[at + 1] ?? 0) & 127)] === 1) look(text, from + at, visit);
        }
      }
    },
  };
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127);
}

function standsAt(places: readonly Uint8Array[], text: string, at: number): boolean {
  for (let place = 0; place < places.length; place += 1) {
    if (places[place]?.[text.charCodeAt(at + place)] !== 1) return false;
  }
  return true;
}

/** Where the two neighbouring pairs begin that are rarest together. */
function rarestPlace(lead: Lead): number {
  const costs = lead.slice(1).map((characters, place) => frequencyOf(lead[place] ?? '') * frequencyOf(characters));
  const sums = costs.slice(1).map((cost, place) => cost + (costs[place] ?? 0));
  return Math.max(0, sums.indexOf(Math.min(...sums)));
}

function frequencyOf(characters: string): number {
  return [...characters].reduce((sum, character) => sum + (frequencies.find(([form]) => form.test(character))?.[1] ?? 1), 0);
}

function pairsAt(lead: Lead, place: number): ReadonlySet<number> {
  return new Set([...(lead[place] ?? '')].flatMap((first) => [...(lead[place + 1] ?? '')].map((second) => (first.charCodeAt(0) << 7) | second.charCodeAt(0))));
}

function setOf(characters: string): Uint8Array {
  const set = new Uint8Array(128);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}
