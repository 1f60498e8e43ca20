import { readSync } from 'node:fs';
import { withFile } from './regular-file.ts';

/** Whether two regular files hold the same bytes. False for what cannot be read or is no regular file any more. */
export function sameContent(a: Buffer, b: Buffer): boolean {
  return withFile(a, (first) => withFile(b, (second) => sameBytes(first, second))) ?? false;
}

const chunk = 1 << 18;
/** Most files are smaller than this; filling large buffers would cost more than reading them. */
const small = 1 << 14;

function sameBytes(first: number, second: number): boolean {
  let at = 0;
  for (let size = small; ; size = chunk) {
    const a = Buffer.allocUnsafe(size);
    const b = Buffer.allocUnsafe(size);
    const read = fill(first, a, at);
    if (read !== fill(second, b, at) || a.compare(b, 0, read, 0, read) !== 0) return false;
    if (read < size) return true;
    at += read;
  }
}

function fill(file: number, buffer: Buffer, at: number): number {
  let filled = 0;
  while (filled < buffer.length) {
    const read = readSync(file, buffer, filled, buffer.length - filled, at + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}
