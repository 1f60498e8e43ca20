import { statSync } from 'node:fs';
import process from 'node:process';
import { changedPaths, removeLayer } from '../../staged/store/index.ts';
import type { StagedLayer } from '../../staged/types.ts';
import { freeBytes } from './room.ts';
import type { StagedSummary } from './staging.ts';

/** What became of a layer. One that somebody named is theirs to keep, empty or not; the caller holds it. */
export function closeLayer(layer: StagedLayer, origin: 'named' | 'made-here'): StagedSummary {
  const changed = changedPaths(layer);
  const disk = freeBytes(layer.directory) < full ? 'full' : 'has-room';
  const foreign = layer.roots.flatMap(({ root }) => (isForeign(root) ? [root] : []));
  if (changed > 0 || origin === 'named') return { id: layer.id, changed, disk, foreign, layer: 'kept' };
  removeLayer(layer);
  return { id: layer.id, changed, disk, foreign, layer: 'removed' };
}

/** A box knows its user and the user's main group, and no others. */
function isForeign(root: string): boolean {
  const stats = statSync(root, { throwIfNoEntry: false });
  return stats !== undefined && (stats.uid !== process.geteuid?.() || stats.gid !== process.getegid?.());
}

const full = 1 << 20;
