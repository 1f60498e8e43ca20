import { readdirSync } from 'node:fs';
import type { StagedLayer } from '../types.ts';

/**
 * Returns the number of changed entries of the upper directories. Leaves out directories that only lead to a changed
 * entry, but counts empty ones. Cheap: opens nothing, and compares nothing with the host.
 */
export function changedPaths(layer: StagedLayer): number {
  let count = 0;
  for (const _path of upperEntries(layer)) count += 1;
  return count;
}

const slash = Buffer.from('/');

/** Yields the paths that `changedPaths` counts. */
export function* upperEntries(layer: StagedLayer): Generator<Buffer, void, undefined> {
  for (const { upper } of layer.roots) yield* entriesBelow(Buffer.from(upper));
}

function* entriesBelow(top: Buffer): Generator<Buffer, void, undefined> {
  const pending: Buffer[] = [top];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    const entries = entriesOf(directory);
    if (entries.length === 0 && directory !== top) yield directory;
    for (const entry of entries) {
      const path = Buffer.concat([directory, slash, entry.name]);
      if (entry.isDirectory()) pending.push(path);
      else yield path;
    }
  }
}

/** A directory that cannot be listed, or is too deep to name, counts as a change itself. */
function entriesOf(directory: Buffer) {
  try {
    return readdirSync(directory, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return [];
  }
}
