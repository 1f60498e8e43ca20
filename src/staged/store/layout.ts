import { join } from 'node:path';
import type { StagedRoot } from '../types.ts';

export const layerVersion = 1;

/** Returns the directory of all layers. `state` is Holdfast's state directory. */
export function layersDirectory(state: string): string {
  return join(state, 'staged');
}

export function layerFileOf(directory: string): string {
  return join(directory, 'layer.json');
}

/** Each root has its own directory, named by its index. */
export function stagedRoots(directory: string, roots: readonly string[]): readonly StagedRoot[] {
  return roots.map((root, index) => ({
    root,
    upper: join(directory, String(index), 'upper'),
    work: join(directory, String(index), 'work'),
  }));
}

/** Valid names of layers. Other directories are being made or removed. */
export const layerName = /^[a-z0-9][a-z0-9-]*$/iu;
