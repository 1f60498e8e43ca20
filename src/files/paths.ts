import type { FilePath } from './types.ts';

const slash = 0x2f;
const dot = 0x2e;

/** Returns the path of a name in a directory, as bytes. In `.`, the path is the name alone. */
export function joinBytes(directory: FilePath, name: Uint8Array): Buffer {
  const above = pathBytes(directory);
  if (above.length === 0 || (above.length === 1 && above[0] === dot)) return Buffer.from(name);
  return above.at(-1) === slash ? Buffer.concat([above, name]) : Buffer.concat([above, Buffer.of(slash), name]);
}

export function pathBytes(path: FilePath): Buffer {
  return typeof path === 'string' ? Buffer.from(path) : Buffer.from(path.buffer, path.byteOffset, path.byteLength);
}
