import type { KnownSecret } from '../types.ts';
import { encodingsOf } from './encodings.ts';

/** A text to search for, with its owner. At least four bytes. */
export interface Pattern<Of> {
  readonly bytes: Buffer;
  readonly of: Of;
}

export interface Match<Of> {
  readonly start: number;
  readonly end: number;
  readonly of: Of;
}

export interface Matcher<Of> {
  /** Returns all matches, including overlapping ones, in the order of their first bytes. */
  find(bytes: Uint8Array): readonly Match<Of>[];
  /**
   * Returns the length of the longest suffix of `bytes` that begins a pattern without completing it, or 0 if that
   * length is under `shortestBeginning`.
   */
  undecided(bytes: Uint8Array): number;
}

/**
 * Shorter beginnings are not kept back. A message of a binary protocol may end in the first byte of a secret by chance.
 * If that byte were kept back, the sender would wait for an answer and the receiver for the last byte.
 */
export const shortestBeginning = 4;

/** A longer window would hardly skip more bytes in one step. */
const widestWindow = 16;

/**
 * Finds many texts in one pass that skips most bytes. Source: Wu and Manber, "A fast algorithm for multi-pattern
 * searching" (TR-94-17, 1994), with blocks of two bytes. Measured with 80 patterns, Aho-Corasick was 4 times slower
 * here. A regular expression was 5 to 15 times slower, and a `Buffer.indexOf` for each pattern 10 times.
 */
export function createMatcher<Of>(patterns: readonly Pattern<Of>[]): Matcher<Of> {
  const beginnings = Map.groupBy(patterns, ({ bytes }) => bytes.readUInt32LE(0));
  const longest = Math.max(0, ...patterns.map(({ bytes }) => bytes.length));
  const window = Math.min(widestWindow, ...patterns.map(({ bytes }) => bytes.length));
  const shifts = shiftsOf(patterns, window);
  const inner = innerBlocksOf(patterns);
  return {
    find(bytes) {
      const matches: Match<Of>[] = [];
      if (patterns.length === 0) return matches;
      for (let last = window - 1; last < bytes.length; ) {
        const shift = shifts[byteAt(bytes, last - 1) | (byteAt(bytes, last) << 8)] ?? 1;
        if (shift === 0) collect(bytes, last - window + 1, { beginnings, matches });
        last += shift === 0 ? 1 : shift;
      }
      return matches;
    },
    undecided(bytes) {
      if (!endsInside(bytes, inner)) return 0;
      const first = Math.max(0, bytes.length - longest + 1);
      for (let start = first; start <= bytes.length - shortestBeginning; start += 1) {
        const candidates = beginnings.get(wordAt(bytes, start));
        if (
          candidates?.some(
            (pattern) => pattern.bytes.length > bytes.length - start && isAt(bytes, start, pattern.bytes),
          )
        )
          return bytes.length - start;
      }
      return 0;
    },
  };
}

/**
 * Returns how far the window may move for each block that it can end in, without missing a pattern. 0: a pattern may be
 * here.
 */
function shiftsOf(patterns: readonly Pattern<unknown>[], window: number): Uint8Array {
  const shifts = new Uint8Array(0x1_00_00).fill(patterns.length === 0 ? 1 : window - 1);
  for (const { bytes } of patterns) {
    for (let at = 0; at + 1 < window; at += 1) {
      const block = byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8);
      shifts[block] = Math.min(shifts[block] ?? 0, window - 2 - at);
    }
  }
  return shifts;
}

/** Sets one bit for each block of two bytes that can end a partial match of `shortestBeginning` or more bytes. */
function innerBlocksOf(patterns: readonly Pattern<unknown>[]): Uint8Array {
  const inner = new Uint8Array(0x1_00_00 / 8);
  for (const { bytes } of patterns) {
    for (let at = shortestBeginning - 2; at + 1 < bytes.length; at += 1) {
      const block = byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8);
      inner[block >> 3] = byteAt(inner, block >> 3) | (1 << (block & 7));
    }
  }
  return inner;
}

/** Returns true if the bytes end in a block of `inner`. Most messages end in two bytes that no secret contains. */
function endsInside(bytes: Uint8Array, inner: Uint8Array): boolean {
  if (bytes.length < shortestBeginning) return false;
  const block = byteAt(bytes, bytes.length - 2) | (byteAt(bytes, bytes.length - 1) << 8);
  return ((byteAt(inner, block >> 3) >> (block & 7)) & 1) === 1;
}

interface Found<Of> {
  readonly beginnings: ReadonlyMap<number, readonly Pattern<Of>[]>;
  readonly matches: Match<Of>[];
}

function collect<Of>(bytes: Uint8Array, start: number, { beginnings, matches }: Found<Of>): void {
  for (const pattern of beginnings.get(wordAt(bytes, start)) ?? []) {
    const end = start + pattern.bytes.length;
    if (end <= bytes.length && isAt(bytes, start, pattern.bytes)) matches.push({ start, end, of: pattern.of });
  }
}

/** Returns true if the bytes at `start` are the pattern, or its beginning cut off by the end of the bytes. */
function isAt(bytes: Uint8Array, start: number, pattern: Uint8Array): boolean {
  const length = Math.min(pattern.length, bytes.length - start);
  for (let at = 0; at < length; at += 1) if (bytes[start + at] !== pattern[at]) return false;
  return true;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (byteAt(bytes, at) |
      (byteAt(bytes, at + 1) << 8) |
      (byteAt(bytes, at + 2) << 16) |
      (byteAt(bytes, at + 3) << 24)) >>>
    0
  );
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

/**
 * Bytes of the shortest secret that is searched inside other text. A shorter one appears in ordinary content by chance.
 * Masking it would damage the content, and the damage would reveal the secret.
 */
const shortestSecret = 8;

/** Returns a matcher of the currently known secrets, by credential name. Builds a new one when the secrets change. */
export function secretMatcher(known: () => readonly KnownSecret[]): () => Matcher<string> {
  let of: readonly KnownSecret[] = [];
  let matcher = createMatcher<string>([]);
  return () => {
    const now = known();
    if (!areSame(now, of)) {
      of = [...now];
      matcher = createMatcher(
        of
          .filter(isLong)
          .flatMap(({ text, credential }) => encodingsOf(text).map((bytes) => ({ bytes, of: credential }))),
      );
    }
    return matcher;
  };
}

/** Called for every chunk, usually with the same list. */
function areSame(some: readonly KnownSecret[], others: readonly KnownSecret[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index += 1) {
    if (some[index]?.text !== others[index]?.text || some[index]?.credential !== others[index]?.credential)
      return false;
  }
  return true;
}

/** Returns true if the secret is searched inside other text. */
export function isLong({ text }: KnownSecret): boolean {
  return Buffer.byteLength(text) >= shortestSecret;
}
