import { type BigIntStats, readlinkSync } from 'node:fs';
import type { EntryFacts } from '../types.ts';
import { type Found, hostConflict, type Moment } from './conflict.ts';
import { type Attributes, isCopiedUp, readAttributes, sameAttributes } from './overlay-marks.ts';
import { sameContent } from './same-content.ts';

/** One side of a comparison. */
export interface Side {
  /** Leads to it through an open directory. */
  readonly entry: Buffer;
  readonly stats: BigIntStats;
}

export interface Pair {
  readonly path: Buffer;
  readonly host: Side;
  readonly staged: Side & { readonly attributes: Attributes };
  readonly taken: Moment;
}

/** How the staged entry differs from the host's of the same name; undefined when it does not. */
export function compareEntry({ path, host, staged, taken }: Pair): Found | undefined {
  const before = factsOf(host.stats, host.entry);
  const after = factsOf(staged.stats, staged.entry);
  const conflict = hostConflict(host.stats, { taken, copiedUp: isCopiedUp(staged.attributes) });
  const differing = { path, before, after, ...(conflict === undefined ? {} : { conflict }) };
  if (before.type !== after.type) return { kind: 'type-changed', ...differing };
  if (!sameSubstance(before, after, () => sameContent(host.entry, staged.entry, after.size)))
    return { kind: 'modified', ...differing };
  const rights = sameRights(before, after) && sameAttributes(readAttributes(host.entry), staged.attributes);
  if (!rights) return { kind: 'metadata', ...differing };
  // Both sides came to the same content at different times: nothing of the host's would be lost.
  if (after.type !== 'directory' && before.modified !== after.modified)
    return { kind: 'metadata', path, before, after };
  return after.type === 'file' && after.links > 1
    ? { kind: 'metadata', path, before, after, doubt: 'names' }
    : undefined;
}

function sameSubstance(before: EntryFacts, after: EntryFacts, sameBytes: () => boolean): boolean {
  switch (after.type) {
    case 'file':
      return before.size === after.size && sameBytes();
    case 'symlink':
      return before.target !== undefined && after.target?.equals(before.target) === true;
    case 'directory':
    case 'fifo':
    case 'socket':
      return true;
    case 'device':
      return false;
  }
}

function sameRights(before: EntryFacts, after: EntryFacts): boolean {
  return before.mode === after.mode && before.uid === after.uid && before.gid === after.gid;
}

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
