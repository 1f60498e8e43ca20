import { readdirSync } from 'node:fs';
import type { StagedLayer } from '../types.ts';

/**
 * Returns the number of changed entries of the upper directories. Leaves out directories that only lead to a changed
 * entry, but counts empty ones. Cheap: opens nothing, and compares nothing with the host.
 */
export function changedPaths(layer: StagedLayer): number {
  return layer.roots.reduce((sum, { upper }) => sum + changesBelow(Buffer.from(upper)), 0);
}

const slash = Buffer.from('/');

function changesBelow(top: Buffer): number {
  const pending: Buffer[] = [top];
  let count = 0;
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    const entries = entriesOf(directory);
    if (entries.length === 0 && directory !== top) count += 1;
    for (const entry of entries) {
      if (entry.isDirectory()) pending.push(Buffer.concat([directory, slash, entry.name]));
      else count += 1;
    }
  }
  return count;
}

/** A directory that cannot be listed, or is too deep to name, counts as a change itself. */
function entriesOf(directory: Buffer) {
  try {
    return readdirSync(directory, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return [];
  }
}
