import { join } from 'node:path';
import type { StagedRoot } from '../types.ts';

export const layerVersion = 1;

/** Directory of all layers. `state` is Holdfast's state directory. */
export function layersDirectory(state: string): string {
  return join(state, 'staged');
}

export function layerFileOf(directory: string): string {
  return join(directory, 'layer.json');
}

/** Each root has a directory of its own, by its number. */
export function stagedRoots(directory: string, roots: readonly string[]): readonly StagedRoot[] {
  return roots.map((root, index) => ({
    root,
    upper: join(directory, String(index), 'upper'),
    work: join(directory, String(index), 'work'),
  }));
}

/** What a layer may be called. Others in the directory are being made or removed. */
export const layerName = /^[a-z0-9][a-z0-9-]*$/iu;
