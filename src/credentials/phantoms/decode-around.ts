import { createHmac } from 'node:crypto';
import { base64Alignments } from '../masking/encodings.ts';
import { createMatcher, type Match, type Matcher } from '../masking/matcher.ts';

/** Decoded bytes around a tag. */
export interface Decoded {
  readonly bytes: Buffer;
  /** Offset of the tag in these bytes. */
  readonly tagAt: number;
  /** Whether the phantom may continue past the bytes: only characters of phantoms follow the tag. */
  readonly isOpen: boolean;
  /** Convert offsets in the decoded text to offsets in the encoded bytes, for its beginning and for its end. */
  readonly startOffset: (decoded: number) => number;
  readonly endOffset: (decoded: number) => number;
}

/** Most bytes of a phantom before its tag, and from the tag to the end. */
export interface PhantomReach {
  readonly before: number;
  readonly after: number;
}

/** Returns the decoded bytes around a tag. Undefined if a tag in base64 begins too early to be inside a group. */
export function decodedAround(
  bytes: Buffer,
  { start, of }: Match<TagSpelling>,
  reach: PhantomReach,
): Decoded | undefined {
  switch (of.kind) {
    case 'plain':
      return plainAround(bytes, start, reach);
    case 'hex':
      return hexAround(bytes, start, reach);
    case 'base64':
      return base64Around(bytes, { first: start - of.skipped, before: of.before }, reach);
  }
}

function plainAround(bytes: Buffer, tagAt: number, { before, after }: PhantomReach): Decoded {
  const from = Math.max(0, tagAt - before);
  const part = bytes.subarray(from, tagAt + after);
  const offset = (at: number): number => from + at;
  return {
    bytes: part,
    tagAt: tagAt - from,
    isOpen: runAfter(bytes, { from: tagAt, atMost: after }, isPhantomCharacter) === bytes.length,
    startOffset: offset,
    endOffset: offset,
  };
}

function hexAround(bytes: Buffer, tagAt: number, { before, after }: PhantomReach): Decoded {
  const pairs = Math.min(before, Math.floor(runBefore(bytes, { to: tagAt, atMost: 2 * before }, isHexDigit) / 2));
  const from = tagAt - 2 * pairs;
  const to = runAfter(bytes, { from: tagAt, atMost: 2 * after }, isHexDigit);
  const offset = (at: number): number => from + 2 * at;
  return {
    bytes: Buffer.from(bytes.toString('latin1', from, to), 'hex'),
    tagAt: pairs,
    isOpen: to === bytes.length,
    startOffset: offset,
    endOffset: offset,
  };
}

interface Group {
  /** Offset of the group of four characters in which the tag begins. */
  readonly first: number;
  /** Bytes of the group before the tag. */
  readonly before: number;
}

function base64Around(bytes: Buffer, { first, before }: Group, reach: PhantomReach): Decoded | undefined {
  if (first < 0) return undefined;
  const groups = Math.floor(runBefore(bytes, { to: first, atMost: 4 * Math.ceil(reach.before / 3) }, isBase64) / 4);
  const from = first - 4 * groups;
  const to = runAfter(bytes, { from: first, atMost: 4 * Math.ceil((reach.after + 2) / 3) }, isBase64);
  return {
    bytes: Buffer.from(bytes.toString('latin1', from, to), 'base64'),
    tagAt: 3 * groups + before,
    isOpen: to === bytes.length,
    startOffset: (at) => from + Math.floor((at * 4) / 3),
    endOffset: (at) => from + Math.ceil((at * 4) / 3),
  };
}

interface Before {
  readonly to: number;
  readonly atMost: number;
}

/** Returns how many bytes of a kind come directly before `to`. */
function runBefore(bytes: Buffer, { to, atMost }: Before, isOfKind: (byte: number) => boolean): number {
  let count = 0;
  while (count < atMost && count < to && isOfKind(bytes[to - count - 1] ?? 0)) count += 1;
  return count;
}

interface After {
  readonly from: number;
  readonly atMost: number;
}

/** Returns the offset, from `from` on, at which the run of bytes of a kind ends. */
function runAfter(bytes: Buffer, { from, atMost }: After, isOfKind: (byte: number) => boolean): number {
  let at = from;
  while (at < bytes.length && at - from < atMost && isOfKind(bytes[at] ?? 0)) at += 1;
  return at;
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

function isAlphanumeric(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);
}

/** `+`, `/`, and `-`, `_` in the other alphabet. */
function isBase64(byte: number): boolean {
  return isAlphanumeric(byte) || byte === 0x2b || byte === 0x2f || byte === 0x2d || byte === 0x5f;
}

/** Characters after a tag: letters, digits, `-`, `_`, and the full stop that one vendor uses. */
function isPhantomCharacter(byte: number): boolean {
  return isAlphanumeric(byte) || byte === 0x2d || byte === 0x5f || byte === 0x2e;
}

/**
 * Returns seven digits that all phantoms of a session share near their beginning. Traffic is then searched for one text
 * instead of for each phantom. The digits 2 to 7 are in every alphabet of keys.
 */
export function sessionTag(key: Buffer): string {
  return createDraw(key, 'tag')('234567', 7);
}

/** A spelling of the tag. `skipped`: characters of its first base64 group that precede it. */
export type TagSpelling =
  | { readonly kind: 'plain' }
  | { readonly kind: 'hex' }
  | { readonly kind: 'base64'; readonly before: number; readonly skipped: number };

/** Matches the tag. Its digits are the same in both cases of hexadecimal and in both alphabets of base64. */
export function tagMatcher(tag: string): Matcher<TagSpelling> {
  const bytes = Buffer.from(tag);
  return createMatcher<TagSpelling>([
    { bytes, of: { kind: 'plain' } },
    { bytes: Buffer.from(bytes.toString('hex')), of: { kind: 'hex' } },
    ...base64Alignments(bytes).map((text, before) => ({
      bytes: Buffer.from(text),
      of: { kind: 'base64', before, skipped: Math.ceil((before * 4) / 3) } as const,
    })),
  ]);
}

/** Draws characters of an alphabet of at most 256 characters, all equally likely. */
export type Draw = (alphabet: string, count: number) => string;

/**
 * The same key and label give the same characters. Without the key they are indistinguishable from random ones
 * (HMAC-SHA-256 of a counter).
 */
export function createDraw(key: Buffer, label: string): Draw {
  const bytes = stream(key, label);
  return (alphabet, count) => Array.from({ length: count }, () => drawOne(alphabet, bytes)).join('');
}

function drawOne(alphabet: string, bytes: Generator<number, never>): string {
  // Bytes above the last whole multiple would favour the first characters of the alphabet.
  const fair = 256 - (256 % alphabet.length);
  for (;;) {
    const { value } = bytes.next();
    if (value < fair) return alphabet.charAt(value % alphabet.length);
  }
}

function* stream(key: Buffer, label: string): Generator<number, never> {
  for (let block = 0; ; block += 1) yield* createHmac('sha256', key).update(`${block} ${label}`).digest();
}
