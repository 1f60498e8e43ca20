import { base64Alignments } from '../masking/encodings.ts';
import { createMatcher, type Match } from '../masking/matcher.ts';
import { type Decoded, decodedAround, tagMatcher, type TagSpelling } from './decode-around.ts';
import { backslash, percent, unescapeAscii } from './unescape.ts';

/** The public part of a phantom, for searches: its beginning, up to the end of the tag, and its length. */
export interface Layout {
  readonly lead: string;
  readonly length: number;
}

export interface PhantomPlace {
  readonly start: number;
  readonly end: number;
  readonly encoding: TagSpelling['kind'];
}

export interface FinderOptions<Owner> {
  readonly tag: string;
  readonly layouts: readonly Layout[];
  /** Returns the owner of a phantom. */
  readonly ownerOf: (candidate: Buffer) => Owner | undefined;
}

export interface PhantomFinder<Owner> {
  find(bytes: Buffer): readonly (PhantomPlace & { readonly owner: Owner })[];
  undecided(bytes: Buffer): number;
  readonly longest: number;
}

/** A text, with a mapping of its offsets to the original bytes. */
interface View {
  readonly bytes: Buffer;
  readonly rawOffset: (offset: number) => number;
}

/** Written as `\u0041`, each character takes six bytes. */
const longestSpelling = 6;

/**
 * Finds phantoms by their session's tag: plain, in hexadecimal and in base64, each also under percent-encoding or JSON
 * escapes. Does not find a phantom that is encoded twice, or base64 that is broken into lines.
 */
export function createFinder<Owner>({ tag, layouts, ownerOf }: FinderOptions<Owner>): PhantomFinder<Owner> {
  const tags = tagMatcher(tag);
  const distinct = [...new Map(layouts.map((layout) => [`${layout.length} ${layout.lead}`, layout])).values()];
  const leads = createMatcher(
    distinct.flatMap(({ lead }) => leadSpellings(lead).map((bytes) => ({ bytes, of: lead }))),
  );
  const longest = longestSpelling * Math.max(0, ...distinct.map(({ length }) => length));
  const reach = {
    before: Math.max(0, ...distinct.map(({ lead }) => lead.length - tag.length)),
    after: Math.max(0, ...distinct.map(({ length }) => length)),
  };

  /** Yields possible phantoms, each from its beginning to its expected end. */
  const candidates = function* (bytes: Buffer): Generator<Candidate> {
    for (const match of tags.find(bytes)) {
      const decoded = decodedAround(bytes, match, reach);
      if (decoded !== undefined) yield* candidatesAt(decoded, match, { distinct, tag });
    }
  };

  return {
    longest,
    find(raw) {
      // This is the usual case: no tag in any spelling, and no escape that could hide one.
      if (tags.find(raw).length === 0 && !hasEscapes(raw)) return [];
      const found = viewsOf(raw).flatMap(({ bytes, rawOffset }) =>
        [...candidates(bytes)].flatMap(({ text, start, end, encoding }) => {
          const owner = text === undefined ? undefined : ownerOf(text);
          return owner === undefined ? [] : [{ start: rawOffset(start), end: rawOffset(end), encoding, owner }];
        }),
      );
      return [...new Map(found.map((each) => [`${each.start} ${each.end}`, each])).values()].sort(
        (a, b) => a.start - b.start,
      );
    },
    undecided(whole) {
      const end = whole.length > longest ? whole.subarray(whole.length - longest) : whole;
      if (tags.find(end).length === 0 && !hasEscapes(end)) return leads.undecided(end);
      const raw = withoutHalfEscape(end);
      const starts = viewsOf(raw).flatMap(({ bytes, rawOffset }) => {
        const open = [...candidates(bytes)].filter(({ text }) => text === undefined).map(({ start }) => start);
        return [...open, bytes.length - leads.undecided(bytes)].map(rawOffset);
      });
      const first = Math.min(...starts);
      return first === raw.length ? 0 : Math.min(whole.length, longest) - first;
    },
  };
}

function hasEscapes(raw: Buffer): boolean {
  return raw.includes(percent) || raw.includes(backslash);
}

/** Drops an incomplete escape at the end. While the bytes after `%4` or `\u00` are missing, it can be anything. */
function withoutHalfEscape(raw: Buffer): Buffer {
  const half = /(?:%[\da-f]?|\\(?:u0{0,2}|u00[0-7])?)$/iu.exec(
    raw.toString('latin1', Math.max(0, raw.length - longestSpelling)),
  );
  return raw.subarray(0, raw.length - (half?.[0].length ?? 0));
}

/** Returns the bytes as they are, and a second, unescaped view if they hold escapes. */
function viewsOf(raw: Buffer): readonly View[] {
  const unescaped = unescapeAscii(raw);
  const asIs: View = { bytes: raw, rawOffset: (offset) => offset };
  return unescaped === undefined ? [asIs] : [asIs, unescaped];
}

interface Candidate extends PhantomPlace {
  /** Absent if the bytes end before the phantom does. */
  readonly text?: Buffer;
}

interface Sought {
  readonly distinct: readonly Layout[];
  readonly tag: string;
}

function candidatesAt(
  { bytes, tagAt, isOpen, startOffset, endOffset }: Decoded,
  match: Match<TagSpelling>,
  { distinct, tag }: Sought,
): readonly Candidate[] {
  return distinct.flatMap(({ lead, length }): readonly Candidate[] => {
    const start = tagAt - (lead.length - tag.length);
    const end = start + length;
    const isWhole = end <= bytes.length;
    // In base64, the last character of a tag may lack bits that the next character brings.
    if (start < 0 || (!isWhole && !isOpen) || !lead.startsWith(bytes.toString('latin1', start, start + lead.length)))
      return [];
    return [
      {
        start: startOffset(start),
        end: endOffset(end),
        encoding: match.of.kind,
        ...(isWhole ? { text: bytes.subarray(start, end) } : {}),
      },
    ];
  });
}

/**
 * Returns the spellings of a phantom's beginning: plain, in hexadecimal of both cases, and in base64 of both alphabets.
 */
function leadSpellings(lead: string): readonly Buffer[] {
  const bytes = Buffer.from(lead);
  const inHex = bytes.toString('hex');
  const inBase64 = base64Alignments(bytes).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
  return [...new Set([lead, inHex, inHex.toUpperCase(), ...inBase64])].map((text) => Buffer.from(text));
}
