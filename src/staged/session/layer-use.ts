import { statSync } from 'node:fs';
import { encodeBox } from '../../backends/launcher/encode-plan.ts';
import { type Keeper, startKeeper } from '../../backends/launcher/spawn-launcher.ts';
import { HoldfastError } from '../../errors/index.ts';
import { failureError } from '../../place/failures.ts';
import type { Place } from '../../place/place.ts';
import type { LayerDirectory } from '../../plan/mount.ts';
import { type StagedLayers, stagedRootsOf, stagePlan } from '../../plan/staged.ts';
import type { Plan } from '../../plan/types.ts';
import { createLayer } from '../store/create-layer.ts';
import { layerBytes } from '../store/layer-bytes.ts';
import { holdLayer } from '../store/lock-layer.ts';
import { openLayer, removeLayer } from '../store/open-layer.ts';
import type { StagedLayer } from '../types.ts';
import type { StagedBoxes, StagedChoice, StagedRun } from './staging.ts';

/** Milliseconds between two checks, and the largest share of time that checks may take. */
const pause = 1000;
const share = 10;

/** The boxes of one session that use a layer. */
export class LayerUse {
  readonly #boxes: StagedBoxes;
  #running = 0;
  #state: 'open' | 'suspended' = 'open';

  constructor(boxes: StagedBoxes) {
    this.#boxes = boxes;
  }

  /** `limit`: bytes on disk. Undefined for no limit. */
  enter(layer: StagedLayer, limit: number | undefined): StagedRun {
    if (this.#state === 'suspended') throw aside(layer);
    if (this.#boxes === 'one' && this.#running > 0) {
      throw new HoldfastError(
        'HF_STAGED_BUSY',
        `the staged layer ${layer.id} is in use by another command of this sandbox`,
        { remedy: 'wait until that command has ended, or use a separate sandbox for each' },
      );
    }
    this.#running += 1;
    const look = limit === undefined ? undefined : new Look(layer, limit);
    return {
      watch: (box) => look?.start(() => box.end()),
      failure: () => look?.failure,
      leave: () => {
        look?.stop();
        this.#running -= 1;
      },
    };
  }

  /** Lets no further box enter. Throws `HF_STAGED_BUSY` while a box uses the layer. */
  suspend({ id }: StagedLayer): void {
    if (this.#running > 0)
      throw new HoldfastError('HF_STAGED_BUSY', `the staged layer ${id} is in use by this sandbox`, {
        remedy: 'wait until its commands and file operations have ended',
      });
    this.#state = 'suspended';
  }

  resume(): void {
    this.#state = 'open';
  }
}

function aside({ id }: StagedLayer): HoldfastError {
  return new HoldfastError('HF_STAGED_BUSY', `the staged layer ${id} is being accepted, discarded or restored`, {
    remedy: 'wait until that has ended',
  });
}

/** Measures a layer's size again and again, less often if a measurement takes long. */
class Look {
  readonly #layer: StagedLayer;
  readonly #limit: number;
  #timer: NodeJS.Timeout | undefined;
  #state: 'open' | 'stopped' = 'open';
  failure: HoldfastError | undefined;

  constructor(layer: StagedLayer, limit: number) {
    this.#layer = layer;
    this.#limit = limit;
  }

  start(end: () => void): void {
    this.#again(pause, end);
  }

  stop(): void {
    this.#state = 'stopped';
    clearTimeout(this.#timer);
  }

  #again(after: number, end: () => void): void {
    if (this.#state === 'open') this.#timer = setTimeout(() => void this.#look(end), after);
  }

  async #look(end: () => void): Promise<void> {
    const begin = performance.now();
    const bytes = await layerBytes(this.#layer);
    if (this.#state === 'stopped') return;
    if (bytes <= this.#limit) {
      this.#again(Math.max(pause, (performance.now() - begin) * share), end);
      return;
    }
    this.failure = tooLarge(this.#layer, bytes, this.#limit);
    end();
  }
}

function tooLarge({ id }: StagedLayer, bytes: number, limit: number): HoldfastError {
  return new HoldfastError(
    'HF_QUOTA_EXCEEDED',
    `the staged layer ${id} uses ${Number.isFinite(bytes) ? `${bytes} bytes` : 'more than can be counted'}, and limits.staged allows ${limit}: the command was ended`,
    {
      remedy: `see its changes with \`holdfast review ${id}\`, or raise limits.staged`,
      details: { id, bytes, limit },
    },
  );
}

/** The plan and place under every layer of a session. */
export interface StagedGround {
  readonly place: Place;
  /** A live plan of the place. */
  readonly plan: Plan;
  readonly boxes: StagedBoxes;
}

/** A layer that this session holds until it releases it. It is mounted if many boxes share it. */
export interface TakenLayer {
  readonly layer: StagedLayer;
  /** `encodeBox` of the staged plan. */
  readonly box: Uint8Array;
  /** Returns the staged form of a live plan. */
  stage(plan: Plan): Plan;
  /** Running boxes keep their mount. */
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
    `the staged layer ${id} belongs to ${layer.workspace}, not to ${workspace.root}`,
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
