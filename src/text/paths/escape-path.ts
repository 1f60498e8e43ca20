import { classesOf } from '../unicode/classes.ts';
import { unitsOf } from '../unicode/points.ts';
import { isComposing, isMark, isNeverComposed, isPrivateUse, isUnassigned } from '../unicode/sets.ts';
import { decodeUtf8, type PathPart } from './decode-utf8.ts';

/**
 * A path as it may be shown, so that two paths never look the same: all that does not show, blanks other than an inner
 * U+0020, private and unassigned characters, and accents that a composed letter would hide are written `\u{200b}`; bytes
 * that are no UTF-8 `\x{ff}`; a backslash `\\`. Ordinary paths are what they were. `unescapePath` is its inverse.
 *
 * A path that is in normal form C is shown composed; any other spelling of the same letters shows its parts. What merely
 * looks alike (Cyrillic letters, U+2215 as a slash) is told by `filterText` with form `name`, and not rewritten here.
 */
export function escapePath(path: string | Uint8Array): string {
  const ascii = typeof path === 'string' ? path : latin1(path);
  if (isPlain(ascii)) return ascii;
  const parts = typeof path === 'string' ? [path] : decodeUtf8(path);
  const isComposed = parts.length === 1 && typeof parts[0] === 'string' && parts[0].normalize('NFC') === parts[0];
  return mark(parts).map((point, index, points) => written(point, { before: points[index - 1], after: points[index + 1], isComposed })).join('');
}

/** Of bytes that are all ASCII what UTF-8 says as well. */
function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** Most paths: nothing to look at twice, and the tables of Unicode are not loaded for them. */
function isPlain(path: string): boolean {
  return /^[ -[\]-~]*$/u.test(path) && !/^ | \/|\/ | $/u.test(path);
}

/** A code point, or a byte as its negative. */
type Unit = number;

function mark(parts: readonly PathPart[]): readonly Unit[] {
  return parts.flatMap((part) => (typeof part === 'number' ? [-part] : Array.from(part, (char) => char.codePointAt(0)!)));
}

interface Neighbours {
  readonly before: Unit | undefined;
  readonly after: Unit | undefined;
  readonly isComposed: boolean;
}

function written(point: Unit, near: Neighbours): string {
  if (point < 0) return `\\x{${(-point).toString(16)}}`;
  if (point === backslash) return '\\\\';
  return mustShow(point) || (point === blank && isEdge(near)) || (isMark(point) && mayMerge(point, near)) || (!near.isComposed && isRespelt(point)) ? `\\u{${point.toString(16)}}` : String.fromCodePoint(point);
}

const backslash = 0x5c;
const blank = 0x20;
const slash = 0x2f;

/** U+27E6 is none that the tables call shown: it opens what `filterText` writes, and would be written again there. */
function mustShow(point: number): boolean {
  const { units, ofPair } = classesOf('name');
  const isShown = (unitsOf(point) === 1 ? units[point] : ofPair(point)) === 0;
  return !isShown || isPrivateUse(point) || isUnassigned(point);
}

/** A blank at the end of a name is not seen. */
function isEdge({ before, after }: Neighbours): boolean {
  return before === undefined || after === undefined || before === slash || after === slash;
}

/** A mark on a slash or on an escape would change their look; marks in a row show the same in either order. */
function mayMerge(point: number, { before, isComposed }: Neighbours): boolean {
  if (before === undefined || before <= slash || before === backslash || mustShow(before)) return true;
  return !isComposed && (isMark(before) || isComposing(point));
}

function isRespelt(point: number): boolean {
  return isComposing(point) || isNeverComposed(point);
}
