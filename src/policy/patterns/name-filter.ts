import { endingOf } from './name-branches.ts';
import { foldName, type Wildcard } from './wildcard.ts';

/**
 * Returns false only for names that none of the patterns can match. Decides by length and by the first two and last two
 * characters.
 */
export type NameFilter = (shape: NameShape) => boolean;

/** The shape of a name as one number, computed once for all filters. */
export type NameShape = number;

const ascii = 128;
const buckets = 1024;
const bucketBits = 10;
const anyLength = 0xffff_ffff;
/** Value for a missing second character. */
const nothing = 0;
/** A name beyond ASCII may fold to ASCII and to another length, so no filter skips it. */
const unknown: NameShape = -1;

export function shapeOf(name: string): NameShape {
  const { length } = name;
  const first = name.charCodeAt(0);
  const second = length > 1 ? name.charCodeAt(1) : nothing;
  const last = name.charCodeAt(length - 1);
  const beforeLast = length > 1 ? name.charCodeAt(length - 2) : nothing;
  if ((first | second | last | beforeLast) >= ascii) return unknown;
  return (
    (Math.min(length, 31) << (2 * bucketBits)) | (bucketOf(beforeLast, last) << bucketBits) | bucketOf(first, second)
  );
}

/** Rules out most names of a path with two look-ups. */
export function nameFilter(wildcards: readonly Wildcard[]): NameFilter {
  // One bit for each possible length of names with such a start. Lengths beyond 31 share the last bit.
  const starts = new Uint32Array(buckets);
  const ends = new Uint8Array(buckets);
  let isOpen = false;
  for (const wildcard of wildcards) {
    const ending = endingOf(wildcard);
    const isMarked = ending === undefined ? markStart(starts, wildcard) : markEnd(ends, ending);
    if (!isMarked) isOpen = true;
  }
  if (isOpen) return () => true;
  return (shape) =>
    shape < 0 ||
    (((starts[shape & (buckets - 1)] ?? 0) >>> (shape >>> (2 * bucketBits))) & 1) === 1 ||
    ends[(shape >>> bucketBits) & (buckets - 1)] === 1;
}

/** A collision costs a look-up, but does not change the result. */
function bucketOf(a: number, b: number): number {
  return (lower(a) * 37 + lower(b)) & (buckets - 1);
}

function lower(unit: number): number {
  return unit >= 0x41 && unit <= 0x5a ? unit + 32 : unit;
}

function lengthBit(length: number): number {
  return 1 << Math.min(length, 31);
}

/** False if the pattern can start with any character. */
function markStart(starts: Uint32Array, { units, literal }: Wildcard): boolean {
  const [first = -1, second] = literal === undefined ? units : firstUnits(foldName(literal));
  if (first < 0 || first >= ascii || (second !== undefined && second >= ascii)) return false;
  // Folding changes the length of some names that are not ASCII (`İ`).
  const lengths = literal === undefined || !isAscii.test(literal) ? anyLength : lengthBit(literal.length);
  if (second === undefined || second >= 0) mark(starts, bucketOf(first, second ?? nothing), lengths);
  else for (let other = 0; other < ascii; other += 1) mark(starts, bucketOf(first, other), lengths);
  return true;
}

function mark(starts: Uint32Array, bucket: number, lengths: number): void {
  starts[bucket] = (starts[bucket] ?? 0) | lengths;
}

/** False if the ending does not fix the last two characters. */
function markEnd(ends: Uint8Array, ending: string): boolean {
  const [beforeLast, last] = firstUnits(`.${ending}`.slice(-2));
  if (beforeLast === undefined || last === undefined || (beforeLast | last) >= ascii) return false;
  ends[bucketOf(beforeLast, last)] = 1;
  return true;
}

// oxlint-disable-next-line no-control-regex -- the ASCII range
const isAscii = /^[\u0000-\u007f]*$/;

/** At most two. */
function firstUnits(text: string): readonly number[] {
  return text.length > 1 ? [text.charCodeAt(0), text.charCodeAt(1)] : text.length === 1 ? [text.charCodeAt(0)] : [];
}
