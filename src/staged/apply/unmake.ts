import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdLayer, openLayer } from '../store/index.ts';
import { layerFileOf, layerVersion, layersDirectory, rootsOf } from '../store/layout.ts';
import type { LayerFile, StagedLayer } from '../types.ts';
import { noteBases } from './bases.ts';
import { undress } from './directories.ts';
import { keepRecord, removeRecord } from './record.ts';
import { reverse } from './reverse.ts';
import { openScene, type Pace, type Scene } from './scene.ts';
import { nameOf, StepConflict } from './step-conflict.ts';
import { syncSides } from './sync.ts';
import type { Plan } from './types.ts';

export interface Unmade {
  /** Absolute paths that hold something else now; what was there before lies in the record. */
  readonly conflicts: readonly string[];
}

export interface UnmakeOptions {
  readonly state: string;
  /** Directory of the record. */
  readonly record: string;
  readonly pace: Pace;
}

/**
 * Unmakes an accept, finished or not, and forgets it: host and layer are as before. The caller holds the record. May be cut
 * short at any moment and begun again. Throws `HF_STAGED_BUSY` before anything is done when a command uses the layer.
 */
export function unmake(plan: Plan, { state, record, pace }: UnmakeOptions): Unmade {
  const layer = layerAgain(state, record, plan);
  const hold = holdLayer(layer);
  try {
    return unmakeHeld(plan, { record, pace, layer });
  } finally {
    hold.release();
  }
}

/** The same for who holds the layer already. */
export function unmakeHeld(plan: Plan, { record, pace, layer }: Omit<UnmakeOptions, 'state'> & { readonly layer: StagedLayer }): Unmade {
  const scene = openScene(plan, { record, pace, uppers: layer.roots.map(({ upper }) => upper) });
  try {
    const conflicts = reverseAll(scene);
    undress(scene);
    noteBases(layer, plan);
    syncSides(scene);
    pace('unmade');
    if (conflicts.length === 0) removeRecord(record);
    else keepRecord(record);
    return { conflicts };
  } finally {
    scene.close();
  }
}

function reverseAll(scene: Scene): readonly string[] {
  const conflicts: string[] = [];
  for (const step of scene.plan.steps.toReversed()) {
    try {
      reverse(scene, step);
    } catch (error) {
      if (!(error instanceof StepConflict) && !isNoWay(error)) throw error;
      conflicts.push(nameOf(scene.plan, step));
    }
  }
  return conflicts;
}

/** A directory on the way went or became something else. */
function isNoWay(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EXDEV'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** The layer, brought back or made again when nothing had been left in it. */
export function layerAgain(state: string, record: string, plan: Plan): StagedLayer {
  const { id, workspace, created } = plan.layer;
  const directory = join(layersDirectory(state), id);
  if (!existsSync(directory)) {
    const put = join(record, 'layer');
    if (!existsSync(put)) makeLayer(put, { version: layerVersion, workspace, roots: plan.roots, created });
    mkdirSync(layersDirectory(state), { recursive: true, mode: 0o700 });
    renameSync(put, directory);
  }
  return openLayer(state, id);
}

function makeLayer(directory: string, file: LayerFile): void {
  const fresh = `${directory}.new`;
  for (const { upper, work } of rootsOf(fresh, file.roots)) for (const path of [upper, work]) mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(layerFileOf(fresh), `${JSON.stringify(file)}\n`, { mode: 0o600 });
  renameSync(fresh, directory);
}
