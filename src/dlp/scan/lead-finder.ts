import type { Lead } from '../rules/types.ts';

/** Calls back for each place of a text where a lead stands, from the first to the last. */
export interface LeadFinder<Of> {
  each(text: string, visit: (of: Of, at: number) => void): void;
}

interface Entry<Of> {
  readonly of: Of;
  /** For each place, which of 128 characters may stand there. */
  readonly places: readonly Uint8Array[];
}

/** Two characters, of seven bits each. Others fall together with these, and are told apart where all of a lead is looked at. */
const pairs = 1 << 14;
const longestWindow = 8;

/**
 * Finds all leads in one pass that steps over most characters: what two characters stand at the end of a window tells how far the
 * next lead is at least. Source: Wu and Manber, "A fast algorithm for multi-pattern searching", TR 94-17, 1994.
 */
export function createLeadFinder<Of>(leads: readonly { readonly of: Of; readonly lead: Lead }[]): LeadFinder<Of> {
  const window = Math.min(longestWindow, ...leads.map(({ lead }) => lead.length));
  if (leads.length === 0 || window < 2) return { each: () => undefined };
  const shifts = shiftsOf(leads.map(({ lead }) => lead), window);
  const buckets = bucketsOf(leads.map(({ of, lead }) => ({ of, places: lead.map(setOf) })), leads.map(({ lead }) => lead));
  return {
    each(text, visit) {
      const last = text.length - window;
      for (let at = 0; at <= last; ) {
        const shift = shifts[pairAt(text, at + window - 2)] ?? 0;
        if (shift > 0) {
          at += shift;
          continue;
        }
        for (const entry of buckets[pairAt(text, at)] ?? []) {
          if (standsAt(entry.places, text, at)) visit(entry.of, at);
        }
        at += 1;
      }
    },
  };
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127);
}

/** For each pair at the end of a window, how far the window may move so that no lead is stepped over. */
function shiftsOf(leads: readonly Lead[], window: number): Uint8Array {
  const shifts = new Uint8Array(pairs).fill(window - 1);
  for (const lead of leads) {
    for (let place = 0; place + 1 < window; place += 1) {
      for (const pair of pairsAt(lead, place)) shifts[pair] = Math.min(shifts[pair] ?? 0, window - 2 - place);
    }
  }
  return shifts;
}

function bucketsOf<Of>(entries: readonly Entry<Of>[], leads: readonly Lead[]): readonly (readonly Entry<Of>[] | undefined)[] {
  const buckets: Entry<Of>[][] = [];
  buckets.length = pairs;
  for (const [index, entry] of entries.entries()) {
    for (const pair of pairsAt(leads[index] ?? [], 0)) (buckets[pair] ??= []).push(entry);
  }
  return buckets;
}

function pairsAt(lead: Lead, place: number): readonly number[] {
  return [...(lead[place] ?? '')].flatMap((first) => [...(lead[place + 1] ?? '')].map((second) => pairAt(first + second, 0)));
}

function setOf(characters: string): Uint8Array {
  const set = new Uint8Array(128);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}

function standsAt(places: readonly Uint8Array[], text: string, at: number): boolean {
  for (let place = 0; place < places.length; place += 1) {
    if (places[place]?.[text.charCodeAt(at + place)] !== 1) return false;
  }
  return true;
}
