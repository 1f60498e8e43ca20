import { readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isHoldfastError, type HoldfastError } from '../../errors/index.ts';
import { removeTree } from '../../kernel/index.ts';
import type { StagedLayer } from '../types.ts';
import { layerName, layersDirectory } from './layout.ts';
import { openLayer } from './open-layer.ts';

interface FoundLayers {
  /** Newest first. */
  readonly layers: readonly StagedLayer[];
  readonly problems: readonly LayerProblem[];
}

/** A directory among the layers that is none that this version can use. */
interface LayerProblem {
  readonly id: string;
  readonly error: HoldfastError;
}

/** All layers, or those of one workspace, newest first. */
export function listLayers(state: string, workspace?: string): readonly StagedLayer[] {
  return findLayers(state).layers.filter((layer) => workspace === undefined || layer.workspace === workspace);
}

/** All layers, and what else lies where layers do. */
export function findLayers(state: string): FoundLayers {
  const layers: StagedLayer[] = [];
  const problems: LayerProblem[] = [];
  for (const id of namesIn(layersDirectory(state))) {
    try {
      layers.push(openLayer(state, id));
    } catch (error) {
      if (!isHoldfastError(error)) throw error;
      problems.push({ id, error });
    }
  }
  return { layers: layers.sort((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1)), problems };
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => layerName.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Removes a layer and all that is in it. It is gone from the list at once, and never half of it is found. The caller
 * holds it.
 */
export function removeLayer(layer: StagedLayer): void {
  const doomed = join(dirname(layer.directory), `.removed-${layer.id}`);
  renameSync(layer.directory, doomed);
  removeTree(doomed);
}
