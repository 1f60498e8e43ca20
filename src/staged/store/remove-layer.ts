import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StagedLayer } from '../types.ts';
import { removeTree } from '../../kernel/index.ts';

/** Removes a layer and all that is in it. It is gone from the list at once, and never half of it is found. The caller holds it. */
export function removeLayer(layer: StagedLayer): void {
  const doomed = join(dirname(layer.directory), `.removed-${layer.id}`);
  renameSync(layer.directory, doomed);
  removeTree(doomed);
}
