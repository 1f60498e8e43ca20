import { isUtf8 } from 'node:buffer';

/** A path as text: bytes that are no UTF-8 as `%FF`, all others as they are. */
export function pathText(path: Buffer): string {
  if (isUtf8(path)) return path.toString('utf8');
  return [...path]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`))
    .join('');
}
