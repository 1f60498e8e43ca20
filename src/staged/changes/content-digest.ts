import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';

/** SHA-256 of an open file's content, in base64. Undefined when it is shorter than expected. */
export function contentDigest(file: number, size: number): string | undefined {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(size, 1 << 18));
  let at = 0;
  for (let read = 1; read > 0 && at < size; at += read) {
    read = readSync(file, buffer, 0, Math.min(buffer.length, size - at), at);
    hash.update(buffer.subarray(0, read));
  }
  return at === size ? hash.digest('base64') : undefined;
}
