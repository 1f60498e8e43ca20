import { lstatSync } from 'node:fs';
import { changesOf } from './changes-of.ts';
import { changedPaths, upperEntries } from '../store/changed-paths.ts';
import type { StagedLayer } from '../types.ts';

export interface ChangeCount {
  /** Number of changes that a review shows. */
  readonly changed: number;
  /** `about`: the layer is too large to compare with the host at the end of each command. */
  readonly counted: 'exactly' | 'about';
}

/**
 * Counts the changes of a layer as a review does. A new directory and each entry of a deleted one count, and a renamed
 * entry counts once. A large layer is only estimated, because the comparison reads both sides.
 */
export function countChanges(layer: StagedLayer): ChangeCount {
  const exact = isSmall(layer) ? comparedChanges(layer) : undefined;
  return exact === undefined
    ? { changed: changedPaths(layer), counted: 'about' }
    : { changed: exact, counted: 'exactly' };
}

const mostEntries = 1000;
const mostBytes = 1 << 26;

/** The comparison takes about 50 µs for an entry, and reads the content of files of the same size. */
function isSmall(layer: StagedLayer): boolean {
  let [entries, bytes] = [0, 0];
  for (const path of upperEntries(layer)) {
    entries += 1;
    bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (entries > mostEntries || bytes > mostBytes) return false;
  }
  return true;
}

/**
 * Undefined if the layer or its workspace cannot be compared, and `holdfast review` then says why. Also undefined if the
 * layer deletes a large directory of the host.
 */
function comparedChanges(layer: StagedLayer): number | undefined {
  try {
    return changesOf(layer, { most: mostEntries }).length;
  } catch {
    return undefined;
  }
}
