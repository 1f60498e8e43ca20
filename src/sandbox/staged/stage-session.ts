import { statSync } from 'node:fs';
import process from 'node:process';
import { encodeBox } from '../../backends/launcher/encode-plan.ts';
import { startKeeper, type Keeper } from '../../backends/launcher/keep.ts';
import type { Backend } from '../../backends/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { stagedRootsOf, stagePlan, type StagedLayers } from '../../plan/staged.ts';
import type { LayerDirectory, Plan } from '../../plan/index.ts';
import { changedPaths, createLayer, holdLayer, openLayer, removeLayer } from '../../staged/store/index.ts';
import type { StagedLayer } from '../../staged/types.ts';
import type { Place } from '../place.ts';
import { failureError } from '../failures.ts';
import { refuseMountsWithin } from './mounts-within.ts';
import { freeBytes, requireRoom } from './room.ts';
import { LayerUse } from './layer-use.ts';
import type { StagedBoxes, StagedChoice, StagedSummary, Staging } from './staging.ts';

export interface StageOptions {
  readonly choice: StagedChoice;
  readonly place: Place;
  readonly backend: Backend;
  /** A live plan of the place. */
  readonly plan: Plan;
  readonly boxes: StagedBoxes;
}

/**
 * Takes a layer for a session: a new one, or the one that is named. Throws `HF_GUARANTEE_MISSING` where the backend cannot
 * stage, `HF_STAGED_INVALID`, `HF_STAGED_BUSY`, `HF_DISK_FULL` and `HF_STATE_UNWRITABLE`.
 */
export async function stageSession({ choice, place, backend, plan, boxes }: StageOptions): Promise<Staging> {
  requireStaging(backend, place);
  // Before anything is made: a plan that cannot be staged leaves no layer.
  stagePlan(plan, new Map(stagedRootsOf(plan).map((root) => [root, nowhere])));
  refuseMountsWithin(stagedRootsOf(plan));
  requireRoom(place.paths.state);
  const layer = choice === 'new' ? createLayer(place.paths.state, { workspace: place.workspace.root, roots: stagedRootsOf(plan) }) : layerOf(place, choice.into);
  const hold = holdLayer(layer);
  const layers = layersOf(layer);
  const staged = (live: Plan): Plan => stagePlan(live, layers, boxes === 'many' ? layer.directory : undefined);
  const keeper = boxes === 'many' ? await keep(staged(plan), place).catch(giveUp) : undefined;
  const use = new LayerUse(layer, boxes);
  return {
    layer,
    boxes,
    box: encodeBox(staged(plan)),
    stage: staged,
    enter: ({ limits }) => use.enter(limits.staged),
    close: async () => (await keeper?.close(), end()),
  };

  function end(): StagedSummary {
    const summary = closeLayer(layer, choice);
    hold.release();
    return summary;
  }

  function giveUp(error: unknown): never {
    end();
    throw error;
  }
}

async function keep(plan: Plan, { installation }: Place): Promise<Keeper> {
  const start = await startKeeper(plan, { launcher: installation.launcher });
  if (start.kind === 'ready') return start.keeper;
  throw failureError(start.failure, 'keep');
}

const nowhere = { upper: { path: '/', identity: { device: '0', inode: '0', type: 'directory' } }, work: { path: '/', identity: { device: '0', inode: '0', type: 'directory' } } } as const;

function requireStaging(backend: Backend, { uid, cgroups }: Place): void {
  if (backend.guarantees({ uid, cgroups })['fs.stage'] === 'kernel') return;
  throw new HoldfastError('HF_GUARANTEE_MISSING', `the ${backend.name} backend cannot keep writes aside (guarantee: fs.stage)`, { remedy: 'run with --backend native, or without --staged', details: { missing: ['fs.stage'] } });
}

function layerOf({ paths, workspace }: Place, id: string): StagedLayer {
  const layer = openLayer(paths.state, id);
  if (layer.workspace === workspace.root) return layer;
  throw new HoldfastError('HF_STAGED_INVALID', `the staged layer ${id} lies over ${layer.workspace}, not over ${workspace.root}`, { remedy: `run in ${layer.workspace}, or stage into a new layer` });
}

function layersOf(layer: StagedLayer): StagedLayers {
  return new Map(layer.roots.map(({ root, upper, work }) => [root, { upper: identified(upper), work: identified(work) }]));
}

function identified(path: string): LayerDirectory {
  const { dev, ino } = statSync(path, { bigint: true });
  return { path, identity: { device: String(dev), inode: String(ino), type: 'directory' } };
}

/** A layer that somebody named is theirs to keep, empty or not. */
function closeLayer(layer: StagedLayer, choice: StagedChoice): StagedSummary {
  const changed = changedPaths(layer);
  const disk = freeBytes(layer.directory) < full ? 'full' : 'has-room';
  const foreign = layer.roots.flatMap(({ root }) => (isForeign(root) ? [root] : []));
  if (changed > 0 || choice !== 'new') return { id: layer.id, changed, disk, foreign, layer: 'kept' };
  removeLayer(layer);
  return { id: layer.id, changed, disk, foreign, layer: 'removed' };
}

/** A box knows its user and the user's main group, and no others. */
function isForeign(root: string): boolean {
  const stats = statSync(root, { throwIfNoEntry: false });
  return stats !== undefined && (stats.uid !== process.geteuid?.() || stats.gid !== process.getegid?.());
}

const full = 1 << 20;
