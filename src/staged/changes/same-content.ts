import { readSync } from 'node:fs';
import { withFile } from './regular-file.ts';

/**
 * Whether two regular files hold the same bytes. `size` is what they should have. False for what cannot be read or is
 * no regular file any more.
 */
export function sameContent(a: Buffer, b: Buffer, size: number): boolean {
  return withFile(a, (first) => withFile(b, (second) => sameBytes(first, second, size))) ?? false;
}

const chunk = 1 << 18;

/** Most files are small, and making large buffers would cost more than reading them. */
function sameBytes(first: number, second: number, size: number): boolean {
  const [a, b] = [Buffer.allocUnsafe(Math.min(size + 1, chunk)), Buffer.allocUnsafe(Math.min(size + 1, chunk))];
  for (let at = 0; ; at += a.length) {
    const read = fill(first, a, at);
    if (read !== fill(second, b, at) || a.compare(b, 0, read, 0, read) !== 0) return false;
    if (read < a.length) return true;
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
