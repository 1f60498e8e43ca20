import type { BigIntStats } from 'node:fs';
import type { Change, Conflict } from '../types.ts';

/**
 * When the layer took over an entry from the host: nothing that the host did to it since then is in the layer.
 * Nanoseconds.
 */
export type Moment = bigint;

/**
 * The birth of the upper entry, which the copy from the host made. A file system that keeps no births leaves the
 * layer's own time, and a whiteout may be older than its deletion, as the overlay links one to many names: both err
 * towards a conflict.
 */
export function takenAt(upper: BigIntStats, layerCreated: Moment): Moment {
  return upper.birthtimeNs > 0n && upper.birthtimeNs >= layerCreated ? upper.birthtimeNs : layerCreated;
}

/**
 * Whether the host's entry was touched after the layer took it over. The kernel's clock ticks every few milliseconds,
 * so the same moment counts as later: better a false alarm than an overwrite.
 */
export function hostConflict(
  host: BigIntStats,
  { taken, copiedUp }: { readonly taken: Moment; readonly copiedUp: boolean },
): Conflict | undefined {
  if (host.ctimeNs < taken) return undefined;
  return { reason: !copiedUp && host.birthtimeNs >= taken ? 'appeared-on-host' : 'changed-on-host' };
}

/** The layer holds what it took from the host, and the host has it no more. */
export const goneFromHost: Conflict = { reason: 'gone-from-host' };

/** A difference as the walk finds it, before renames are told from deletions and the policy is asked. */
export interface Found extends Omit<Change, 'root' | 'kind' | 'from'> {
  readonly kind: Exclude<Change['kind'], 'renamed'>;
  /**
   * What only shows when all differences are known. `names`: nothing but its number of hard links might differ.
   * `moved-or-gone`: added, but once copied from the host, so that it was moved here or the host's one was removed.
   */
  readonly doubt?: 'names' | 'moved-or-gone';
}

/** Path of a name in a directory, whose own path is empty for the root. */
export function joinPath(directory: Buffer, name: Buffer): Buffer {
  return directory.length === 0 ? name : Buffer.concat([directory, slash, name]);
}

const slash = Buffer.from('/');
