import { statSync } from 'node:fs';
import { encodeBox } from '../../backends/launcher/encode-plan.ts';
import { startKeeper, type Keeper } from '../../backends/launcher/keep.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { LayerDirectory, Plan } from '../../plan/index.ts';
import { stagedRootsOf, stagePlan, type StagedLayers } from '../../plan/staged.ts';
import { createLayer, holdLayer, openLayer, removeLayer } from '../store/index.ts';
import type { StagedLayer } from '../types.ts';
import { failureError } from '../../place/failures.ts';
import type { Place } from '../../place/place.ts';
import type { StagedBoxes, StagedChoice } from './staging.ts';

/** What every layer of a session lies over. */
export interface StagedGround {
  readonly place: Place;
  /** A live plan of the place. */
  readonly plan: Plan;
  readonly boxes: StagedBoxes;
}

/** A layer that is this session's alone until it is given back, and mounted where many boxes share it. */
export interface TakenLayer {
  readonly layer: StagedLayer;
  /** `encodeBox` of the staged plan. */
  readonly box: Uint8Array;
  /** The staged form of a live plan. */
  stage(plan: Plan): Plan;
  /** Boxes that still run keep what they have mounted. */
  unmount(): Promise<void>;
  release(): void;
}

/** Throws `HF_STAGED_INVALID`, `HF_STAGED_BUSY`, `HF_DISK_FULL`, `HF_STATE_UNWRITABLE` and `HF_LAUNCHER_FAILED`. */
export async function takeLayer({ place, plan, boxes }: StagedGround, choice: StagedChoice): Promise<TakenLayer> {
  const layer =
    choice === 'new'
      ? createLayer(place.paths.state, { workspace: place.workspace.root, roots: stagedRootsOf(plan) })
      : layerOf(place, choice.into);
  const hold = holdLayer(layer);
  const layers = layersOf(layer);
  const stage = (live: Plan): Plan => stagePlan(live, layers, boxes === 'many' ? layer.directory : undefined);
  try {
    const staged = stage(plan);
    const keeper = boxes === 'many' ? await keep(staged, place) : undefined;
    return { layer, box: encodeBox(staged), stage, unmount: async () => keeper?.close(), release: hold.release };
  } catch (error) {
    if (choice === 'new') removeLayer(layer);
    hold.release();
    throw error;
  }
}

async function keep(plan: Plan, { installation }: Place): Promise<Keeper> {
  const start = await startKeeper(plan, { launcher: installation.launcher });
  if (start.kind === 'ready') return start.keeper;
  throw failureError(start.failure, 'keep');
}

function layerOf({ paths, workspace }: Place, id: string): StagedLayer {
  const layer = openLayer(paths.state, id);
  if (layer.workspace === workspace.root) return layer;
  throw new HoldfastError(
    'HF_STAGED_INVALID',
    `the staged layer ${id} lies over ${layer.workspace}, not over ${workspace.root}`,
    { remedy: `run in ${layer.workspace}, or stage into a new layer` },
  );
}

function layersOf(layer: StagedLayer): StagedLayers {
  return new Map(
    layer.roots.map(({ root, upper, work }) => [root, { upper: identified(upper), work: identified(work) }]),
  );
}

function identified(path: string): LayerDirectory {
  const { dev, ino } = statSync(path, { bigint: true });
  return { path, identity: { device: String(dev), inode: String(ino), type: 'directory' } };
}
