import { type BigIntStats, constants } from 'node:fs';
import type { EntryFacts } from '../types.ts';

/** Identifies an entry, and tells whether it was written to. */
export interface EntryId {
  readonly device: bigint;
  readonly inode: bigint;
  /** Type and permissions, as in `st_mode`. */
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
 * A change of one entry of the host. `put`: a staged entry takes the name. `take`: the entry of the name is removed.
 * `make`: an empty directory takes the name. The record keeps the old entry.
 */
export interface AcceptStep {
  readonly kind: 'put' | 'take' | 'make';
  /** Index of the layer's root. */
  readonly root: number;
  /** Relative to the root. */
  readonly path: Buffer;
  /** The host's entry at this name. Undefined if the name is free. */
  readonly before?: EntryId;
  /** The staged entry of a `put`. */
  readonly staged?: EntryId;
  /**
   * `copy`: the entry cannot be moved, because the file systems differ, or because other names of it stay in the layer.
   */
  readonly way: 'move' | 'copy';
  /** Whether the layer has a whiteout for the deletion of a `take`. */
  readonly whiteout: boolean;
  /** The overlay's own attributes of the staged entry, which must not reach the host. */
  readonly marks: ReadonlyMap<string, Buffer>;
  /** Whether the host's side was newer than the layer's before the accept. */
  readonly disputed: boolean;
}

/** A directory of the host that a step touches. */
export interface Touched {
  readonly root: number;
  readonly path: Buffer;
  /** Old metadata. Undefined for a directory that a step makes. */
  readonly old?: StepMetadata;
  /** Staged metadata. Undefined if only its entries change. */
  readonly dressed?: StepMetadata;
  /** As in `AcceptStep`. */
  readonly disputed: boolean;
}

export interface AcceptPlan {
  /** The layer, as in `layer.json`, and its directory. */
  readonly layer: {
    readonly id: string;
    readonly directory: string;
    readonly workspace: string;
    readonly created: number;
  };
  readonly roots: readonly string[];
  /** Milliseconds since 1970. */
  readonly begun: number;
  /** Part of the temporary names beside destinations. */
  readonly nonce: string;
  /** Whether the layer is empty afterwards. */
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
 * Returns whether two IDs name the same entry, unmodified. Times and sizes of directories do not count: their entries
 * are compared one by one.
 */
export function sameEntry(a: EntryId, b: EntryId): boolean {
  return sameInode(a, b) && sameLook(a, b);
}

/** Returns whether two entries look the same, as an entry and its copy do. */
export function sameLook(a: EntryId, b: EntryId): boolean {
  if (a.mode !== b.mode || a.uid !== b.uid || a.gid !== b.gid) return false;
  return isDirectoryId(a) || (a.size === b.size && a.modified === b.modified);
}

/** Returns whether an entry is the one that was shown. */
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
