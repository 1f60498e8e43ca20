import { constants, type BigIntStats } from 'node:fs';
import type { EntryFacts } from '../types.ts';
import type { EntryId } from './types.ts';

export function idOf(stats: BigIntStats): EntryId {
  return {
    device: stats.dev,
    inode: stats.ino,
    mode: Number(stats.mode),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    size: stats.size,
    modified: stats.mtimeNs,
  };
}

export function isDirectoryId({ mode }: Pick<EntryId, 'mode'>): boolean {
  return (mode & constants.S_IFMT) === constants.S_IFDIR;
}

export function sameInode(a: EntryId, b: EntryId): boolean {
  return a.device === b.device && a.inode === b.inode;
}

/**
 * The same entry, and nobody wrote to it. Times and sizes of directories say nothing: their entries are looked at one
 * by one.
 */
export function sameEntry(a: EntryId, b: EntryId): boolean {
  return sameInode(a, b) && sameLook(a, b);
}

/** Looks the same, as a copy of an entry does. */
export function sameLook(a: EntryId, b: EntryId): boolean {
  if (a.mode !== b.mode || a.uid !== b.uid || a.gid !== b.gid) return false;
  return isDirectoryId(a) || (a.size === b.size && a.modified === b.modified);
}

/** What was shown is what is there. */
export function matchesFacts(id: EntryId, facts: EntryFacts): boolean {
  if (
    id.device !== facts.device ||
    id.inode !== facts.inode ||
    (id.mode & 0o7777) !== facts.mode ||
    id.uid !== facts.uid ||
    id.gid !== facts.gid
  )
    return false;
  return isDirectoryId(id) || (id.size === BigInt(facts.size) && id.modified === facts.modified);
}
