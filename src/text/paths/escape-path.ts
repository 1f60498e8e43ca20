import { classesOf } from '../unicode/classes.ts';
import { unitsOf } from '../unicode/points.ts';
import { isComposing, isMark, isNeverComposed, isPrivateUse, isUnassigned } from '../unicode/sets.ts';

/**
 * Returns a path in a form in which two paths never look the same. Hidden characters, blanks other than an inner
 * U+0020, private and unassigned characters, and accents that a composed letter would hide are written as `\u{200b}`. A
 * byte that is not UTF-8 becomes `\x{ff}`, and a backslash becomes `\\`. Ordinary paths stay unchanged. `unescapePath`
 * is the inverse.
 *
 * A path in normal form C is shown composed; any other spelling of the same letters shows its parts. Lookalikes
 * (Cyrillic letters, U+2215 as a slash) are reported by `filterText` with form `name`, and not rewritten here.
 */
export function escapePath(path: string | Uint8Array): string {
  const ascii = typeof path === 'string' ? path : latin1(path);
  if (isPlain(ascii)) return ascii;
  const parts = typeof path === 'string' ? [path] : decodeUtf8(path);
  const isComposed = parts.length === 1 && typeof parts[0] === 'string' && parts[0].normalize('NFC') === parts[0];
  return mark(parts)
    .map((point, index, points) => written(point, { before: points[index - 1], after: points[index + 1], isComposed }))
    .join('');
}

/** Decodes bytes as Latin-1, which equals UTF-8 if all of them are ASCII. */
function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** Matches most paths. The Unicode tables are not loaded for them. */
function isPlain(path: string): boolean {
  return /^[ -[\]-~]*$/u.test(path) && !/^ | \/|\/ | $/u.test(path);
}

/** A code point, or the negative value of a byte. */
type Unit = number;

function mark(parts: readonly PathPart[]): readonly Unit[] {
  return parts.flatMap((part) =>
    typeof part === 'number' ? [-part] : Array.from(part, (char) => char.codePointAt(0)!),
  );
}

interface Neighbours {
  readonly before: Unit | undefined;
  readonly after: Unit | undefined;
  readonly isComposed: boolean;
}

function written(point: Unit, near: Neighbours): string {
  if (point < 0) return `\\x{${(-point).toString(16)}}`;
  if (point === backslash) return '\\\\';
  return mustShow(point) ||
    (point === blank && isEdge(near)) ||
    (isMark(point) && mayMerge(point, near)) ||
    (!near.isComposed && isRespelt(point))
    ? `\\u{${point.toString(16)}}`
    : String.fromCodePoint(point);
}

const backslash = 0x5c;
const blank = 0x20;
const slash = 0x2f;

/**
 * U+27E6 does not count as visible, although the tables list it as such. It opens the marks of `filterText`, which
 * would escape it again.
 */
function mustShow(point: number): boolean {
  const { units, ofPair } = classesOf('name');
  const isShown = (unitsOf(point) === 1 ? units[point] : ofPair(point)) === 0;
  return !isShown || isPrivateUse(point) || isUnassigned(point);
}

/** A blank at the end of a name is invisible. */
function isEdge({ before, after }: Neighbours): boolean {
  return before === undefined || after === undefined || before === slash || after === slash;
}

/** A mark on a slash or on an escape would change how it looks. Several marks look the same in either order. */
function mayMerge(point: number, { before, isComposed }: Neighbours): boolean {
  if (before === undefined || before <= slash || before === backslash || mustShow(before)) return true;
  return !isComposed && (isMark(before) || isComposing(point));
}

function isRespelt(point: number): boolean {
  return isComposing(point) || isNeverComposed(point);
}

/** A valid UTF-8 text, or one byte (0x80–0xff) that is not valid. */
type PathPart = string | number;

/**
 * Decodes a path. On Linux, a path is bytes, and not always text. Accepts only the shortest forms of UTF-8, and no
 * surrogates.
 */
export function decodeUtf8(bytes: Uint8Array): readonly PathPart[] {
  const parts: PathPart[] = [];
  let start = 0;
  let at = 0;
  const flush = () => {
    if (at > start) parts.push(decoder.decode(bytes.subarray(start, at)));
  };
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    flush();
    parts.push(bytes[at]!);
    start = ++at;
  }
  flush();
  return parts;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the number of bytes of the character at `at`, or 0 if the bytes are not a character. The ranges are those of
 * table 3-7 of the Unicode Standard.
 */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const form = forms.find(({ from, to }) => first >= from && first <= to);
  if (form === undefined) return 0;
  const second = bytes[at + 1] ?? 0;
  if (second < form.least || second > form.most) return 0;
  for (let index = 2; index < form.length; index++) {
    if ((bytes[at + index] ?? 0) >> 6 !== 0b10) return 0;
  }
  return form.length;
}

const forms = [
  { from: 0xc2, to: 0xdf, length: 2, least: 0x80, most: 0xbf },
  { from: 0xe0, to: 0xe0, length: 3, least: 0xa0, most: 0xbf },
  { from: 0xe1, to: 0xec, length: 3, least: 0x80, most: 0xbf },
  { from: 0xed, to: 0xed, length: 3, least: 0x80, most: 0x9f },
  { from: 0xee, to: 0xef, length: 3, least: 0x80, most: 0xbf },
  { from: 0xf0, to: 0xf0, length: 4, least: 0x90, most: 0xbf },
  { from: 0xf1, to: 0xf3, length: 4, least: 0x80, most: 0xbf },
  { from: 0xf4, to: 0xf4, length: 4, least: 0x80, most: 0x8f },
] as const;
