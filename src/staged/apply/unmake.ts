import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { kernelCall } from '../../kernel/index.ts';
import { holdLayer } from '../store/lock-layer.ts';
import { openLayer } from '../store/open-layer.ts';
import { layerFileOf, layersDirectory, layerVersion, stagedRoots } from '../store/layout.ts';
import type { LayerFile, StagedLayer } from '../types.ts';
import { noteBases } from './bases.ts';
import { damaged, readJournal } from './journal.ts';
import { applyStepMetadata, restoreTimes } from './metadata.ts';
import {
  closeRecord,
  journalName,
  keepRecord,
  openRecords,
  pruneRecords,
  removeLeftovers,
  removeRecord,
  withRecordLock,
} from './record.ts';
import { reverse } from './reverse.ts';
import { openScene, type Pace, type Scene } from './scene.ts';
import { stepPath, StepConflict } from './forward.ts';
import { statIn } from './tree.ts';
import type { AcceptPlan, Touched } from './types.ts';

export interface Unmade {
  /** Absolute paths that hold another entry now. The record keeps their old entries. */
  readonly conflicts: readonly string[];
}

export interface UnmakeOptions {
  readonly state: string;
  /** Directory of the record. */
  readonly record: string;
  readonly pace: Pace;
}

/**
 * Reverses an accept, finished or not, and removes its record: host and layer are as before. The caller holds the
 * record. It may stop at any moment and run again. Throws `HF_STAGED_BUSY`, before anything is done, if a command uses
 * the layer.
 */
function unmake(plan: AcceptPlan, { state, record, pace }: UnmakeOptions): Unmade {
  const layer = layerAgain(state, record, plan);
  const hold = holdLayer(layer);
  try {
    return unmakeHeld(plan, { record, pace, layer });
  } finally {
    hold.release();
  }
}

/** Like `unmake`, for a caller that already holds the layer. */
export function unmakeHeld(
  plan: AcceptPlan,
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
      conflicts.push(stepPath(scene.plan, step));
    }
  }
  return conflicts;
}

/** A directory on the way is gone, or is something else. */
function isNoWay(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EXDEV'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Returns the restored layer, or creates it again if it was empty. */
export function layerAgain(state: string, record: string, plan: AcceptPlan): StagedLayer {
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
  for (const { upper, work } of stagedRoots(fresh, file.roots))
    for (const path of [upper, work]) mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(layerFileOf(fresh), `${JSON.stringify(file)}\n`, { mode: 0o600 });
  renameSync(fresh, directory);
}

/** Returns once all moves are on the disk. Syncs once per file system. */
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
    // A descriptor opened with `O_PATH` cannot be synced.
    const opened = openSync(`/proc/self/fd/${descriptor}/.`, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      kernelCall('syncfs', opened);
    } finally {
      closeSync(opened);
    }
  }
}

/**
 * Sets the staged metadata of directories after all their entries, because each new or removed entry changes their
 * time.
 */
export function dress(scene: Scene): void {
  for (const { root, path, dressed } of deepestFirst(scene)) {
    if (dressed === undefined) continue;
    scene.pace('dress');
    applyStepMetadata(scene.hostTree(root).place(path), dressed);
    restoreTimes(scene.upperTree(root).place(path), dressed);
  }
}

/** Restores the old metadata of directories, on both sides. */
function undress(scene: Scene): void {
  for (const { root, path, old, dressed } of deepestFirst(scene)) {
    scene.pace('undress');
    if (old !== undefined && isDirectoryIn(scene, root, path)) {
      const place = scene.hostTree(root).place(path);
      if (dressed === undefined) restoreTimes(place, old);
      else applyStepMetadata(place, old);
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

/** The outcome of an interrupted accept or undo. */
export interface Recovered {
  readonly layer: string;
  readonly workspace: string;
  /**
   * `rolled-back`: the accept was incomplete, and all of it is staged again. `completed`: the accept was complete.
   * `undone`: the undo was completed.
   */
  readonly outcome: 'rolled-back' | 'completed' | 'undone';
  /** Absolute paths that someone changed meanwhile, and that were left alone. */
  readonly conflicts: readonly string[];
  /** Directory with the old entries of `conflicts`. */
  readonly kept?: string;
}

/**
 * Completes accepts and undos of killed processes. Leaves alone those on which another process works. Throws
 * `HF_STAGED_INVALID` for a damaged journal, which it leaves unchanged, and `HF_STAGED_BUSY` if a command uses the
 * layer.
 */
export function recoverAccepts(state: string, pace: Pace = () => {}): readonly Recovered[] {
  removeLeftovers(state);
  return openRecords(state).flatMap((record) => withRecordLock(record, () => recover(state, record, pace)) ?? []);
}

function recover(state: string, record: string, pace: Pace): readonly Recovered[] {
  const file = join(record, journalName);
  // Another process completed it between our check and our lock.
  if (!existsSync(file)) return dropUnbegun(record);
  const { plan, mark } = readJournal(file);
  if (mark === undefined) {
    if (!isEmpty(record)) throw damaged(file, 'its plan is cut short, although something was done');
    return dropUnbegun(record);
  }
  const { id: layer, workspace } = plan.layer;
  if (mark === 'commit') {
    finishAccept(plan, { state, record });
    return [{ layer, workspace, outcome: 'completed', conflicts: [] }];
  }
  const { conflicts } = unmake(plan, { state, record, pace });
  return [
    {
      layer,
      workspace,
      outcome: mark === 'undo' ? 'undone' : 'rolled-back',
      conflicts,
      ...(conflicts.length === 0 ? {} : { kept: record }),
    },
  ];
}

function dropUnbegun(record: string): readonly Recovered[] {
  if (existsSync(record) && isEmpty(record) && !existsSync(join(record, 'summary.json'))) removeRecord(record);
  return [];
}

function isEmpty(record: string): boolean {
  return ['host', 'staged'].every(
    (name) => !existsSync(join(record, name)) || readdirSync(join(record, name)).length === 0,
  );
}

/** Does the remaining work of an accept that is on the disk. It may stop at any moment and run again. */
export function finishAccept(
  plan: AcceptPlan,
  { state, record }: { readonly state: string; readonly record: string },
): void {
  // The record keeps an empty layer, so that undo finds it unchanged.
  if (plan.emptied && existsSync(plan.layer.directory)) renameSync(plan.layer.directory, join(record, 'layer'));
  closeRecord(record, plan);
  pruneRecords(state, plan.layer.workspace);
}
