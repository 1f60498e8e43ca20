import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kernelCall } from '../../kernel/index.ts';
import { holdLayer, openLayer } from '../store/index.ts';
import { layerFileOf, layerVersion, layersDirectory, rootsOf } from '../store/layout.ts';
import type { LayerFile, StagedLayer } from '../types.ts';
import { noteBases } from './bases.ts';
import { applyMetadata, restoreTimes } from './metadata.ts';
import { keepRecord, removeRecord } from './record.ts';
import { reverse } from './reverse.ts';
import { openScene, type Pace, type Scene } from './scene.ts';
import { nameOf, StepConflict } from './step-conflict.ts';
import { statIn } from './tree.ts';
import type { Plan, Touched } from './types.ts';

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
 * Unmakes an accept, finished or not, and forgets it: host and layer are as before. The caller holds the record. May be
 * cut short at any moment and begun again. Throws `HF_STAGED_BUSY` before anything is done when a command uses the
 * layer.
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
export function unmakeHeld(
  plan: Plan,
  { record, pace, layer }: Omit<UnmakeOptions, 'state'> & { readonly layer: StagedLayer },
): Unmade {
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
  for (const { upper, work } of rootsOf(fresh, file.roots))
    for (const path of [upper, work]) mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(layerFileOf(fresh), `${JSON.stringify(file)}\n`, { mode: 0o600 });
  renameSync(fresh, directory);
}

/** Returns when everything that was moved is on the disk: one call for each file system. */
export function syncSides(scene: Scene): void {
  const synced = new Set<number>();
  const descriptors = scene.plan.roots.flatMap((_, root) => [
    scene.hostTree(root).descriptor,
    scene.upperTree(root).descriptor,
  ]);
  for (const descriptor of descriptors) {
    const { dev } = fstatSync(descriptor);
    if (synced.has(dev)) continue;
    synced.add(dev);
    // What only names a directory cannot be synced.
    const opened = openSync(`/proc/self/fd/${descriptor}/.`, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      kernelCall('syncfs', opened);
    } finally {
      closeSync(opened);
    }
  }
}

/**
 * Gives directories what was staged for them, when everything is in them: each entry that comes or goes sets their
 * time.
 */
export function dress(scene: Scene): void {
  for (const { root, path, dressed } of deepestFirst(scene)) {
    if (dressed === undefined) continue;
    scene.pace('dress');
    applyMetadata(scene.hostTree(root).place(path), dressed);
    restoreTimes(scene.upperTree(root).place(path), dressed);
  }
}

/** Gives directories back what they had, on both sides. */
function undress(scene: Scene): void {
  for (const { root, path, old, dressed } of deepestFirst(scene)) {
    scene.pace('undress');
    if (old !== undefined && isDirectoryIn(scene, root, path)) {
      const place = scene.hostTree(root).place(path);
      if (dressed === undefined) restoreTimes(place, old);
      else applyMetadata(place, old);
    }
    if (dressed !== undefined && statIn(scene.upperTree(root), path)?.isDirectory() === true)
      restoreTimes(scene.upperTree(root).place(path), dressed);
  }
}

function isDirectoryIn(scene: Scene, root: number, path: Buffer): boolean {
  return statIn(scene.hostTree(root), path)?.isDirectory() === true;
}

function deepestFirst({ plan }: Scene): readonly Touched[] {
  return plan.touched.toSorted((a, b) => Buffer.compare(b.path, a.path));
}
