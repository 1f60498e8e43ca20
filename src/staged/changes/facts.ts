import { readlinkSync, type BigIntStats } from 'node:fs';
import type { EntryFacts } from '../types.ts';

/** Facts of an entry from its stats. `path` is read for a symlink's target only. */
export function factsOf(stats: BigIntStats, path: Buffer): EntryFacts {
  const type = typeOf(stats);
  return {
    type,
    mode: Number(stats.mode & 0o7777n),
    size: Number(stats.size),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    modified: stats.mtimeNs,
    links: Number(stats.nlink),
    device: stats.dev,
    inode: stats.ino,
    ...(type === 'symlink' ? { target: readlinkSync(path, { encoding: 'buffer' }) } : {}),
  };
}

function typeOf(stats: BigIntStats): EntryFacts['type'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  if (stats.isSymbolicLink()) return 'symlink';
  if (stats.isFIFO()) return 'fifo';
  return stats.isSocket() ? 'socket' : 'device';
}
