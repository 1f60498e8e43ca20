/** Returned instead of an end. */
export const notJson = -1;
export const notUtf8 = -2;

const quote = 0x22;
const backslash = 0x5c;
/** Single bytes that stand for themselves in a string. */
const isPlain = Uint8Array.from({ length: 0x100 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== quote && byte !== backslash ? 1 : 0,
);

/** Returns the first byte from `at` that is not white space. */
export function afterSpace(bytes: Uint8Array, at: number): number {
  let end = at;
  while (end < bytes.length && isSpace(bytes[end])) end += 1;
  return end;
}

/**
 * Returns the offset after the closing quote of the string whose opening quote is at `start`, or `notJson`, or
 * `notUtf8`.
 */
export function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = endOfPlain(bytes, start + 1); at < bytes.length; at = endOfPlain(bytes, at)) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) return at + 1;
    at = byte < 0x20 ? notJson : byte === backslash ? endOfEscape(bytes, at) : endOfCharacter(bytes, at);
    if (at < 0) return at;
  }
  return notJson;
}

/**
 * Returns the offset after the end of a valid container, starting inside it, or `notJson` if it does not end. Takes
 * linear time, without a step for each character of a string.
 */
export function endOfContainer(bytes: Uint8Array, from: number): number {
  let depth = 1;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = closingQuote(bytes, at + 1);
    else if (byte === 0x7b || byte === 0x5b) depth += 1;
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return notJson;
}

/**
 * Returns the offset of the quote that closes the string around `from`, or the length of the bytes if it does not end.
 */
function closingQuote(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(quote, from); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let before = at;
    while (before > from && bytes[before - 1] === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return bytes.length;
}

/**
 * Returns the offset after a character of two or more bytes, or `notUtf8`. Source: RFC 3629 §4, the table of
 * `UTF8-octets`.
 */
export function endOfCharacter(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return notUtf8;
  const second = bytes[at + 1] ?? 0;
  if (second < leastSecond(lead) || second > greatestSecond(lead)) return notUtf8;
  for (let next = at + 2; next < at + length; next += 1) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return notUtf8;
  return at + length;
}

/**
 * Returns the offset after a number that begins at `at`, or `notJson`. The caller checks the text after it. Source: RFC
 * 8259 §6.
 */
export function endOfNumber(bytes: Uint8Array, at: number): number {
  const whole = bytes[at] === 0x2d ? at + 1 : at;
  let end = bytes[whole] === 0x30 ? whole + 1 : endOfDigits(bytes, whole);
  if (end >= 0 && bytes[end] === 0x2e) end = endOfDigits(bytes, end + 1);
  if (end < 0 || (bytes[end] !== 0x65 && bytes[end] !== 0x45)) return end;
  const sign = bytes[end + 1];
  return endOfDigits(bytes, sign === 0x2b || sign === 0x2d ? end + 2 : end + 1);
}

/** Returns the offset after `word`, or `notJson` if other text is there. */
export function endOfWord(bytes: Uint8Array, at: number, word: string): number {
  for (let index = 0; index < word.length; index += 1) if (bytes[at + index] !== word.charCodeAt(index)) return notJson;
  return at + word.length;
}

/**
 * Returns the text of a string token, which includes its quotes. `endOfString` must have accepted the token, which must
 * not be longer than `longestJsonString`.
 */
export function decodeString(bytes: Buffer, start: number, end: number): string {
  const inner = bytes.toString('utf8', start + 1, end - 1);
  return inner.includes('\\') ? String(JSON.parse(bytes.toString('utf8', start, end))) : inner;
}

/** In bytes. V8 cannot create a string of 512 MiB. Half of that leaves room for quotes and escapes. */
export const longestJsonString = 0x1000_0000;

/**
 * A table is one and a half times as fast as comparisons, and four bytes at a time are twice as fast as one. Most bytes
 * of a document are such bytes.
 */
function endOfPlain(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let at = start;
  while (
    at + 4 <= length &&
    (plain(bytes[at]) & plain(bytes[at + 1]) & plain(bytes[at + 2]) & plain(bytes[at + 3])) === 1
  )
    at += 4;
  while (at < length && isPlain[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

function plain(byte = 0): number {
  return isPlain[byte] ?? 0;
}

function endOfEscape(bytes: Uint8Array, at: number): number {
  switch (bytes[at + 1]) {
    case 0x22:
    case 0x2f:
    case 0x5c:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return at + 2;
    case 0x75:
      return isHex(bytes[at + 2]) && isHex(bytes[at + 3]) && isHex(bytes[at + 4]) && isHex(bytes[at + 5])
        ? at + 6
        : notJson;
    default:
      return notJson;
  }
}

function endOfDigits(bytes: Uint8Array, at: number): number {
  let end = at;
  while (end < bytes.length && isDigit(bytes[end])) end += 1;
  return end === at ? notJson : end;
}

/** Excludes a second, longer spelling of characters: `E0 80` and `F0 80`. */
function leastSecond(lead: number): number {
  return lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
}

/** Excludes surrogates, and everything above U+10FFFF. */
function greatestSecond(lead: number): number {
  return lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHex(byte = 0): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}
