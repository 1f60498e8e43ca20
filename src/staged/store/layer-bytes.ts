import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import type { StagedLayer } from '../types.ts';

const slash = Buffer.from('/');
const blockSize = 512;
/** `PATH_MAX` is 4,096; names have up to 255 bytes. */
const longestPath = 3840;

/**
 * Returns the bytes that the upper directories take on disk, as `du` counts. Entries that vanish meanwhile do not
 * count. A tree too deep to name counts as `Infinity`, because a box could hide its writes there.
 */
export async function layerBytes(layer: StagedLayer): Promise<number> {
  const pending: Buffer[] = layer.roots.map(({ upper }) => Buffer.from(upper));
  const linked = new Set<string>();
  let bytes = 0;
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    if (directory.length > longestPath) return Infinity;
    for (const entry of await entriesOf(directory)) {
      const path = Buffer.concat([directory, slash, entry.name]);
      if (entry.isDirectory()) pending.push(path);
      bytes += await bytesOf(path, linked);
    }
  }
  return bytes;
}

async function entriesOf(directory: Buffer): Promise<readonly Dirent<Buffer>[]> {
  return readdir(directory, { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
}

/** A file with several names counts once. */
async function bytesOf(path: Buffer, linked: Set<string>): Promise<number> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return 0;
  const key = `${stats.dev}:${stats.ino}`;
  if (stats.nlink > 1 && !stats.isDirectory()) {
    if (linked.has(key)) return 0;
    linked.add(key);
  }
  return stats.blocks * blockSize;
}
