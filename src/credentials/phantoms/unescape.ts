/** Bytes without escapes, with their original offsets. */
export interface Unescaped {
  readonly bytes: Buffer;
  /**
   * Converts an offset in the unescaped bytes to the offset of the same byte in the escaped bytes. The end maps to the
   * end.
   */
  rawOffset(offset: number): number;
}

/** The bytes that begin an escape. */
export const percent = 0x25;
export const backslash = 0x5c;
const slash = 0x2f;

/**
 * Undoes percent-encoding (RFC 3986 §2.1) and JSON's `\u00xx` and `\/` (RFC 8259 §7) of ASCII characters, in one pass.
 * Leaves everything else unchanged. Undefined if there is nothing to undo.
 */
export function unescapeAscii(raw: Buffer): Unescaped | undefined {
  const escapes = escapesIn(raw);
  if (escapes.length === 0) return undefined;
  const bytes = Buffer.allocUnsafe(raw.length);
  const rawEnds: number[] = [];
  const ends: number[] = [];
  let copied = 0;
  let length = 0;
  for (const { start, end, byte } of escapes) {
    length += raw.copy(bytes, length, copied, start);
    bytes[length] = byte;
    length += 1;
    ends.push(length);
    rawEnds.push(end);
    copied = end;
  }
  length += raw.copy(bytes, length, copied);
  return {
    bytes: bytes.subarray(0, length),
    rawOffset(offset) {
      const index = lastAtMost(ends, offset);
      const isEscape = ends[index + 1] === offset + 1;
      if (isEscape) return escapes[index + 1]?.start ?? raw.length;
      return (rawEnds[index] ?? 0) + offset - (ends[index] ?? 0);
    },
  };
}

interface Escape {
  readonly start: number;
  readonly end: number;
  readonly byte: number;
}

/** Returns the escapes in order. They cannot overlap, because no digit is a percent sign or a backslash. */
function escapesIn(raw: Buffer): readonly Escape[] {
  const found: Escape[] = [];
  let percentAt = placeOf(raw, percent, 0);
  let backslashAt = placeOf(raw, backslash, 0);
  while (percentAt < raw.length || backslashAt < raw.length) {
    const isPercent = percentAt < backslashAt;
    const escape = isPercent ? escapeAt(raw, percentAt, 1) : jsonEscapeAt(raw, backslashAt);
    if (escape !== undefined) found.push(escape);
    if (isPercent) percentAt = placeOf(raw, percent, percentAt + 1);
    else backslashAt = placeOf(raw, backslash, backslashAt + 1);
  }
  return found;
}

/** Returns the next offset of a byte, or infinity. */
function placeOf(raw: Buffer, byte: number, from: number): number {
  const at = raw.indexOf(byte, from);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

function jsonEscapeAt(raw: Buffer, at: number): Escape | undefined {
  if (raw[at + 1] === slash) return { start: at, end: at + 2, byte: slash };
  const isUnicode = raw[at + 1] === 0x75 && raw[at + 2] === 0x30 && raw[at + 3] === 0x30;
  return isUnicode ? escapeAt(raw, at, 4) : undefined;
}

/** Returns the escape whose two digits come `skip` bytes after its beginning, if it encodes an ASCII character. */
function escapeAt(raw: Buffer, start: number, skip: number): Escape | undefined {
  const end = start + skip + 2;
  const byte = hexDigit(raw[end - 2]) * 16 + hexDigit(raw[end - 1]);
  return byte < 0x80 ? { start, end, byte } : undefined;
}

/** Returns the value of a digit. Infinity for any other byte. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.POSITIVE_INFINITY;
}

/** Returns the index of the last of ascending numbers that is at most `limit`, or -1. */
function lastAtMost(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
