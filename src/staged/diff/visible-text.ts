import { isUtf8 } from 'node:buffer';

/**
 * Bytes that a box chose, as text that cannot repaint a terminal or swap words: escapes, control characters and direction
 * marks become `\u{…}`, bytes that are no UTF-8 `\xNN`. Tabs stay, and line breaks only when asked for.
 */
export function visibleText(bytes: Buffer): string {
  const text = isUtf8(bytes) ? bytes.toString('utf8') : withEscapedBytes(bytes);
  return text.replaceAll(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same for a name or a target of a link. Backslashes are doubled, so that two names never look alike. */
export function visibleName(bytes: Buffer): string {
  return visibleText(bytes.includes(backslash) ? Buffer.from(bytes.toString('latin1').replaceAll('\\', '\\\\'), 'latin1') : bytes).replaceAll('\t', String.raw`\u{9}`);
}

const backslash = 0x5c;
const unsafe = /(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Decodes what is UTF-8 and escapes the rest, byte by byte. */
function withEscapedBytes(bytes: Buffer): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    parts.push(length === 0 ? String.raw`\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}` : bytes.toString('utf8', at, at + length));
    at += Math.max(length, 1);
  }
  return parts.join('');
}

/** Bytes of the character that starts here; 0 when none does. */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
