import type { Lead } from '../rules/types.ts';
import { setOf, triplePlace } from './lead-places.ts';
import { createPairTable, markPairs, type PairTable } from './pair-table.ts';

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

const chunkSize = 32_768;
/** A pair's neighbours stand in the bytes with it, also at both ends of a chunk. */
const margin = 2;

/**
 * Finds all leads, of three places or more, in one pass: what two neighbouring characters are tells which leads are worth a look, and
 * most pairs are of none. The pairs of a chunk are marked first, and looked at then: nothing is called while they are gone over.
 */
export function createLeadFinder<Of>(leads: readonly { readonly of: Of; readonly lead: Lead }[]): LeadFinder<Of> {
  // One of two neighbouring pairs begins at an even place of the text, and only those are looked at.
  const table = createPairTable(leads.flatMap(({ of, lead }) => {
    const places = lead.map(setOf);
    const first = triplePlace(lead);
    const [before = '', middle = '', after = ''] = lead.slice(first, first + 3);
    const entry = (offset: number): Entry<Of> => ({ of, places, offset });
    return [{ pair: [before, middle], after, of: entry(first) }, { pair: [middle, after], before, of: entry(first + 1) }] as const;
  }));
  return {
    each(text, visit) {
      const bytes = Buffer.allocUnsafe(Math.min(text.length, chunkSize) + 2 * margin);
      const marked = new Uint16Array(bytes.length >> 1);
      for (let from = 0; from + 1 < text.length; from += chunkSize) {
        const begin = Math.max(0, from - margin);
        // The low eight bits of each character: bytes are read faster than characters of a string.
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
  /** Where in the text the chunk begins. */
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
