import { type BigIntStats, readlinkSync, readSync } from 'node:fs';
import type { StagedChange, Conflict, EntryFacts } from '../types.ts';
import { type Attributes, isCopiedUp, readAttributes, sameAttributes } from './overlay-marks.ts';
import { withFile } from './place.ts';

/** One side of a comparison. */
export interface ComparedSide {
  /** Path through an open directory. */
  readonly entry: Buffer;
  readonly stats: BigIntStats;
}

export interface Pair {
  readonly path: Buffer;
  readonly host: ComparedSide;
  readonly staged: ComparedSide & { readonly attributes: Attributes };
  readonly taken: CopyUpTime;
}

/** Returns how the staged entry differs from the host's of the same name. Undefined if it does not. */
export function compareEntry({ path, host, staged, taken }: Pair): RawChange | undefined {
  const before = entryFacts(host.stats, host.entry);
  const after = entryFacts(staged.stats, staged.entry);
  const conflict = hostConflict(host.stats, { taken, copiedUp: isCopiedUp(staged.attributes) });
  const differing = { path, before, after, ...(conflict === undefined ? {} : { conflict }) };
  if (before.type !== after.type) return { kind: 'type-changed', ...differing };
  if (!sameSubstance(before, after, () => sameContent(host.entry, staged.entry, after.size)))
    return { kind: 'modified', ...differing };
  const rights = sameRights(before, after) && sameAttributes(readAttributes(host.entry), staged.attributes);
  if (!rights) return { kind: 'metadata', ...differing };
  // Both sides got the same content at different times, so no content of the host would be lost.
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

/** Returns facts of an entry from its stats. `path` is read only for a symlink's target. */
export function entryFacts(stats: BigIntStats, path: Buffer): EntryFacts {
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

/**
 * Returns whether two regular files hold the same bytes. `size` is their expected size. False for a file that cannot be
 * read, or is no longer regular.
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

/**
 * The moment at which the layer took over an entry from the host. Later host changes are not in the layer. Nanoseconds.
 */
export type CopyUpTime = bigint;

/** Returns when the layer took over an entry, by the stats of the upper one. */
export type TakenAt = (upper: BigIntStats) => CopyUpTime;

/**
 * Returns the birth time of the upper entry, which was made by the copy from the host. On a file system without birth
 * times, returns the layer's own time. A whiteout may be older than its deletion, because overlayfs links one whiteout
 * to many names. In both cases a conflict may be reported wrongly, but none is missed.
 */
export function takenAt(upper: BigIntStats, layerCreated: CopyUpTime): CopyUpTime {
  return upper.birthtimeNs > 0n && upper.birthtimeNs >= layerCreated ? upper.birthtimeNs : layerCreated;
}

/**
 * Returns a conflict if the host's entry changed after the layer took it over. The kernel's clock ticks every few
 * milliseconds, so the same moment counts as later: better a false alarm than an overwrite.
 */
export function hostConflict(
  host: BigIntStats,
  { taken, copiedUp }: { readonly taken: CopyUpTime; readonly copiedUp: boolean },
): Conflict | undefined {
  if (host.ctimeNs < taken) return undefined;
  return { reason: !copiedUp && host.birthtimeNs >= taken ? 'appeared-on-host' : 'changed-on-host' };
}

/** The host no longer has an entry that the layer took from it. */
export const goneFromHost: Conflict = { reason: 'gone-from-host' };

/** A difference as the walk finds it, before renames are told apart from deletions and the policy is asked. */
export interface RawChange extends Omit<StagedChange, 'root' | 'kind' | 'from'> {
  readonly kind: Exclude<StagedChange['kind'], 'renamed'>;
  /**
   * A doubt that only the full list of differences resolves. `names`: perhaps only the number of hard links differs.
   * `moved-or-gone`: an added entry was once copied from the host. Either it was moved here, or the host's was removed.
   */
  readonly doubt?: 'names' | 'moved-or-gone';
}

/** Returns the path of a name in a directory. The root's own path is empty. */
export function joinPath(directory: Buffer, name: Buffer): Buffer {
  return directory.length === 0 ? name : Buffer.concat([directory, slash, name]);
}

const slash = Buffer.from('/');
