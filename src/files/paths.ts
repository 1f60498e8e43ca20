import type { FilePath } from './types.ts';

const slash = Buffer.from('/');

/** A name in a directory, as bytes. */
export function joinBytes(directory: FilePath, name: Uint8Array): Buffer {
  const above = bytesOf(directory);
  if (above.length === 0) return Buffer.from(name);
  return above.at(-1) === slash[0] ? Buffer.concat([above, name]) : Buffer.concat([above, slash, name]);
}

export function bytesOf(path: FilePath): Buffer {
  return typeof path === 'string' ? Buffer.from(path) : Buffer.from(path.buffer, path.byteOffset, path.byteLength);
}
