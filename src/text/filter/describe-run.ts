import type { TextFinding } from '../types.ts';
import { type HiddenKind, isShown } from '../unicode/classes.ts';
import { pointAt, pointName, unitsOf } from '../unicode/points.ts';

/** Most pieces of a run that are listed. The rest is given as a number of characters. */
const mostPieces = 24;

export function describeRun(
  text: string,
  run: { readonly kind: HiddenKind; readonly start: number; readonly end: number },
): TextFinding {
  const decoded = decodePayload(text.slice(run.start, run.end), run.kind);
  const finding = { kind: run.kind, start: run.start, end: run.end, what: nameRun(text, run.start, run.end) };
  return decoded === undefined ? finding : { ...finding, decoded };
}

/** Names the pieces of a run: `U+200B×3 U+200C`. After 24 pieces it ends in ` +12 more`. */
export function nameRun(text: string, start: number, end: number): string {
  const first = pointAt(text, start);
  if (start + unitsOf(first) === end) return pointName(first);
  const pieces: string[] = [];
  let at = start;
  while (at < end && pieces.length < mostPieces) {
    const point = pointAt(text, at);
    const size = unitsOf(point);
    let next = at + size;
    while (next < end && pointAt(text, next) === point) next += size;
    const count = (next - at) / size;
    pieces.push(count === 1 ? pointName(point) : `${pointName(point)}×${count}`);
    at = next;
  }
  return at < end ? `${pieces.join(' ')} +${countPoints(text, at, end)} more` : pieces.join(' ');
}

function countPoints(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += unitsOf(pointAt(text, at))) count++;
  return count;
}

/** Characters to read of a run, enough for the reported text. */
const mostRead = 4096;
const mostTold = 200;

/**
 * Returns the text that a run encodes, in one of the encodings known from attacks on models, or undefined. The
 * encodings are tag characters (ASCII + U+E0000), variation selectors (one byte each) and two invisible characters as
 * bits.
 */
function decodePayload(run: string, kind: HiddenKind): string | undefined {
  const read = run.slice(0, mostRead);
  const payload =
    kind === 'tag'
      ? decodeTags(read)
      : kind === 'variation-selector'
        ? decodeSelectors(read)
        : kind === 'invisible'
          ? decodeBits(read)
          : undefined;
  return payload === undefined || payload === '' ? undefined : printableRun(payload, mostTold);
}

/** Tag characters encode ASCII. The unprintable ones (U+E0001, U+E007F) frame the text. */
function decodeTags(run: string): string {
  return [...run]
    .map((char) => char.codePointAt(0)! - 0xe0000)
    .filter((ascii) => ascii >= 0x20 && ascii < 0x7f)
    .map((ascii) => String.fromCharCode(ascii))
    .join('');
}

/** VS1–16 encode the bytes 0–15, and VS17–256 the bytes 16–255. Mongolian selectors encode nothing. */
function decodeSelectors(run: string): string | undefined {
  const bytes = [...run].map((char) => byteOf(char.codePointAt(0)!)).filter((byte) => byte !== undefined);
  return textOfBytes(Uint8Array.from(bytes));
}

function byteOf(point: number): number | undefined {
  if (point >= 0xfe00 && point <= 0xfe0f) return point - 0xfe00;
  return point >= 0xe0100 && point <= 0xe01ef ? point - 0xe0100 + 16 : undefined;
}

/** Returns the text on one line, with hidden characters as `\u{…}`, truncated to `most` characters. */
export function printableRun(text: string, most: number): string {
  let told = '';
  let count = 0;
  for (const char of text) {
    if (count++ === most) return `${told}…`;
    const point = char.codePointAt(0)!;
    told += point >= 0x20 && isShown(point) ? char : `\\u{${point.toString(16)}}`;
  }
  return told;
}

/** Pairs of characters that are used as 0 and 1. Other characters between them (U+200D, U+FEFF) separate the bytes. */
const alphabets = [
  [0x200b, 0x200c],
  [0x2062, 0x2064],
  [0x200c, 0x200d],
  [0x200b, 0x200d],
] as const;

/** Tries both assignments of 0 and 1, and both bit orders. Returns the first result that is text. */
function decodeBits(run: string): string | undefined {
  for (const [zero, one] of alphabets) {
    const bits = [...run].map((char) => char.codePointAt(0)).filter((point) => point === zero || point === one);
    if (bits.length < 16) continue;
    for (const digits of [bits.map((point) => (point === one ? 1 : 0)), bits.map((point) => (point === one ? 0 : 1))]) {
      const text = textOfBytes(bytesOf(digits)) ?? textOfBytes(bytesOf(digits).map(reverseBits));
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

function bytesOf(bits: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(bits.length >> 3);
  for (let index = 0; index < bytes.length * 8; index++) bytes[index >> 3] = (bytes[index >> 3]! << 1) | bits[index]!;
  return bytes;
}

function reverseBits(byte: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit++) reversed |= ((byte >> bit) & 1) << (7 - bit);
  return reversed;
}

/** Most bytes must be text, and a stray selector is not a message. */
const leastBytes = 2;
const leastTextShare = 0.75;

/** Decodes bytes as UTF-8, if they are text. Leaves out a character that is incomplete at the end. */
function textOfBytes(bytes: Uint8Array): string | undefined {
  if (bytes.length < leastBytes) return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  const chars = [...text];
  const readable = chars.filter(isReadable).length;
  return chars.length > 0 && readable >= chars.length * leastTextShare ? text : undefined;
}

function isReadable(char: string): boolean {
  const point = char.codePointAt(0)!;
  return point !== 0xfffd && (point >= 0x20 || point === 0x0a || point === 0x09) && !(point >= 0x7f && point < 0xa0);
}
