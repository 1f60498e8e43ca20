import { isUtf8 } from 'node:buffer';

/** Returns a path as text: bytes that are not UTF-8 become `%FF`, all others stay. */
export function pathText(path: Buffer): string {
  if (isUtf8(path)) return path.toString('utf8');
  return [...path]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`))
    .join('');
}
