import type { Match } from '../masking/matcher.ts';
import type { TagSpelling } from './session-tag.ts';

/** What stands around a tag, out of its encoding. */
export interface Decoded {
  readonly bytes: Buffer;
  /** Where the tag begins in them. */
  readonly tagAt: number;
  /**
   * Whether more could follow: nothing but characters that a phantom can have stands up to the end of what is there.
   */
  readonly isOpen: boolean;
  /**
   * Where in the encoded bytes a text begins that begins here in the decoded ones, and where one ends that ends here.
   */
  readonly startOffset: (decoded: number) => number;
  readonly endOffset: (decoded: number) => number;
}

/** How many bytes of a phantom stand at most before its tag, and from its beginning to its end. */
export interface Reach {
  readonly before: number;
  readonly after: number;
}

/** Undefined where the tag stands in the middle of no group, so that nothing can stand before it. */
export function decodedAround(bytes: Buffer, { start, of }: Match<TagSpelling>, reach: Reach): Decoded | undefined {
  switch (of.kind) {
    case 'plain':
      return plainAround(bytes, start, reach);
    case 'hex':
      return hexAround(bytes, start, reach);
    case 'base64':
      return base64Around(bytes, { first: start - of.skipped, before: of.before }, reach);
  }
}

function plainAround(bytes: Buffer, tagAt: number, { before, after }: Reach): Decoded {
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

function hexAround(bytes: Buffer, tagAt: number, { before, after }: Reach): Decoded {
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
  /** Where the group of four characters begins that the tag begins in. */
  readonly first: number;
  /** How many bytes of the group stand before the tag. */
  readonly before: number;
}

function base64Around(bytes: Buffer, { first, before }: Group, reach: Reach): Decoded | undefined {
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

/** How many bytes before `to` are of a kind. */
function runBefore(bytes: Buffer, { to, atMost }: Before, isOfKind: (byte: number) => boolean): number {
  let count = 0;
  while (count < atMost && count < to && isOfKind(bytes[to - count - 1] ?? 0)) count += 1;
  return count;
}

interface After {
  readonly from: number;
  readonly atMost: number;
}

/** Where the bytes from `from` on cease to be of a kind. */
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

/** Those after a tag: letters, digits, `-`, `_`, and the full stop of one vendor. */
function isPhantomCharacter(byte: number): boolean {
  return isAlphanumeric(byte) || byte === 0x2d || byte === 0x5f || byte === 0x2e;
}
