import { type BigIntStats, constants } from 'node:fs';
import type { EntryFacts } from '../types.ts';

/** What tells one entry from another, and from itself after it was written to. */
export interface EntryId {
  readonly device: bigint;
  readonly inode: bigint;
  /** As in `st_mode`: type and permissions. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: bigint;
  /** Nanoseconds. */
  readonly modified: bigint;
}

export interface StepMetadata {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Nanoseconds. */
  readonly accessed: bigint;
  readonly modified: bigint;
  readonly attributes: ReadonlyMap<string, Buffer>;
}

/**
 * One entry of the host changes hands. `put`: a staged entry takes the name. `take`: what has the name goes. `make`: an
 * empty directory takes the name. What had the name before is kept in the record.
 */
export interface AcceptStep {
  readonly kind: 'put' | 'take' | 'make';
  /** Index of the layer's root. */
  readonly root: number;
  /** Relative to the root. */
  readonly path: Buffer;
  /** What has the name on the host; absent when it is free. */
  readonly before?: EntryId;
  /** Of `put`: the staged entry. */
  readonly staged?: EntryId;
  /** The staged entry, or the host's, cannot be moved: other file system, or other names of it stay in the layer. */
  readonly way: 'move' | 'copy';
  /** Of `take`: the layer has an entry that stands for the deletion. */
  readonly whiteout: boolean;
  /** The overlay's own attributes of the staged entry, which must not reach the host. */
  readonly marks: ReadonlyMap<string, Buffer>;
  /** The host's side was newer than the layer's before anything was done. */
  readonly disputed: boolean;
}

/** A directory of the host that a step touches. */
export interface Touched {
  readonly root: number;
  readonly path: Buffer;
  /** As it was; absent for one that a step makes. */
  readonly old?: StepMetadata;
  /** As it is staged; absent when only its entries change. */
  readonly dressed?: StepMetadata;
  /** As of a step. */
  readonly disputed: boolean;
}

export interface AcceptPlan {
  /** Layer, as in `layer.json` and its place. */
  readonly layer: {
    readonly id: string;
    readonly directory: string;
    readonly workspace: string;
    readonly created: number;
  };
  readonly roots: readonly string[];
  /** Milliseconds since 1970. */
  readonly begun: number;
  /** Part of the private names beside destinations. */
  readonly nonce: string;
  /** Nothing is left in the layer afterwards. */
  readonly emptied: boolean;
  readonly steps: readonly AcceptStep[];
  readonly touched: readonly Touched[];
}

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
