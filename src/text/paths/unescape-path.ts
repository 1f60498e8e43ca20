import { HoldfastError } from '../../errors/index.ts';

/**
 * Returns the path that `escapePath` wrote: a string, or bytes if it is not UTF-8. Also accepts escapes that
 * `escapePath` would not write, because models write them.
 *
 * @throws HoldfastError `HF_TEXT_REJECTED` for a backslash that starts no escape.
 */
export function unescapePath(text: string): string | Uint8Array {
  if (!text.includes('\\')) return text;
  const parts = [...text.matchAll(part)].map(([whole]) => readPart(whole, text));
  return parts.some((read) => typeof read === 'number') ? bytesOf(parts) : parts.join('');
}

const part = /\\\\|\\u\{[0-9a-f]{1,6}\}|\\x\{[0-9a-f]{2}\}|[^\\]+|\\/giu;

function readPart(whole: string, text: string): string | number {
  if (!whole.startsWith('\\')) return whole;
  if (whole === '\\\\') return '\\';
  const value = Number.parseInt(whole.slice(3, -1), 16);
  if (whole[1]?.toLowerCase() === 'x' && value >= 0x80) return value;
  if (whole[1]?.toLowerCase() !== 'u' || !(value <= 0x10ffff)) throw broken(whole, text);
  return String.fromCodePoint(value);
}

function bytesOf(parts: readonly (string | number)[]): Uint8Array {
  const encoder = new TextEncoder();
  return Uint8Array.from(parts.flatMap((read) => (typeof read === 'number' ? [read] : [...encoder.encode(read)])));
}

function broken(whole: string, text: string): HoldfastError {
  return new HoldfastError('HF_TEXT_REJECTED', `The path holds "${whole}", which is not an escape.`, {
    remedy: 'Write a backslash as \\\\, a character as \\u{200b} and a byte as \\x{ff}.',
    details: { path: text },
  });
}
