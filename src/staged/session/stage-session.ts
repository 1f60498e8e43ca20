import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import type { Backend } from '../../backends/backend.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { Place } from '../../place/place.ts';
import { stagedRootsOf, stagePlan } from '../../plan/staged.ts';
import type { Plan } from '../../plan/types.ts';
import type { Recovered } from '../apply/unmake.ts';
import { changedPaths } from '../store/changed-paths.ts';
import { removeLayer } from '../store/open-layer.ts';
import type { StagedLayer } from '../types.ts';
import { LayerUse, type StagedGround, takeLayer, type TakenLayer } from './layer-use.ts';
import {
  refuseMountsWithin,
  type RestingBoxes,
  type StagedBoxes,
  type StagedChoice,
  type StagedRun,
  type StagedSummary,
  type Staging,
  type Worked,
} from './staging.ts';

export interface StageOptions extends StagedGround {
  readonly choice: StagedChoice;
  readonly backend: Backend;
}

/**
 * Takes a layer for a session: a new one, or a named one. Throws `HF_GUARANTEE_MISSING` if the backend cannot stage,
 * `HF_STAGED_INVALID`, `HF_STAGED_BUSY`, `HF_DISK_FULL` and `HF_STATE_UNWRITABLE`.
 */
export async function stageSession({ choice, place, backend, plan, boxes }: StageOptions): Promise<Staging> {
  requireStaging(backend, place);
  // Checks the plan before a layer is made, so that a failure leaves no layer behind.
  stagePlan(plan, new Map(stagedRootsOf(plan).map((root) => [root, nowhere])));
  refuseMountsWithin(stagedRootsOf(plan));
  requireRoom(place.paths.state);
  const recovered = choice === 'new' ? [] : (await import('./recover-first.ts')).recoverFirst(place.paths.state);
  return LayerStaging.open({ place, plan, boxes }, { choice, recovered });
}

const nowhere = {
  upper: { path: '/', identity: { device: '0', inode: '0', type: 'directory' } },
  work: { path: '/', identity: { device: '0', inode: '0', type: 'directory' } },
} as const;

function requireStaging(backend: Backend, { uid, cgroups }: Place): void {
  if (backend.guarantees({ uid, cgroups })['fs.stage'] === 'kernel') return;
  throw new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `the ${backend.name} backend cannot stage writes (guarantee: fs.stage)`,
    { remedy: 'run with --backend native, or without --staged', details: { missing: ['fs.stage'] } },
  );
}

interface StagingStart {
  readonly choice: StagedChoice;
  readonly recovered: readonly Recovered[];
}

/** The layer of a session: first the chosen one, later the result of accepts, discards and undos. */
class LayerStaging implements Staging {
  readonly boxes: StagedBoxes;
  readonly recovered: readonly Recovered[];
  readonly #ground: StagedGround;
  readonly #choice: StagedChoice;
  readonly #use: LayerUse;
  #closed: Promise<StagedSummary> | undefined;
  /** Settles when no work on the layer is left. */
  #working: Promise<unknown> | undefined;
  #taken: TakenLayer;
  /** Why the layer could not be taken again. */
  #failure: { readonly error: unknown } | undefined;

  private constructor(ground: StagedGround, { choice, recovered }: StagingStart, taken: TakenLayer) {
    this.boxes = ground.boxes;
    this.recovered = recovered;
    this.#ground = ground;
    this.#choice = choice;
    this.#taken = taken;
    this.#use = new LayerUse(ground.boxes);
  }

  static async open(ground: StagedGround, start: StagingStart): Promise<LayerStaging> {
    return new LayerStaging(ground, start, await takeLayer(ground, start.choice));
  }

  get layer(): StagedLayer {
    return this.#taken.layer;
  }

  get box(): Uint8Array {
    return this.#taken.box;
  }

  stage(plan: Plan): Plan {
    return this.#taken.stage(plan);
  }

  enter({ limits }: Plan): StagedRun {
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#use.enter(this.layer, limits.staged);
  }

  apart<Value>(boxes: RestingBoxes, work: (layer: StagedLayer) => Promise<Worked<Value>>): Promise<Value> {
    const working = this.#apart(boxes, work);
    this.#working = Promise.allSettled([this.#working, working]).then(() => undefined);
    return working;
  }

  async #apart<Value>(boxes: RestingBoxes, work: (layer: StagedLayer) => Promise<Worked<Value>>): Promise<Value> {
    if (this.#closed !== undefined)
      throw new HoldfastError('HF_USAGE', 'this sandbox is closed', {
        remedy: `use its layer ${this.layer.id} by its ID`,
      });
    if (this.#failure !== undefined) throw this.#failure.error;
    await boxes.rest();
    try {
      this.#use.suspend(this.layer);
      return await this.#unmounted(work);
    } finally {
      this.#use.resume();
      boxes.resume();
    }
  }

  close(): Promise<StagedSummary> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<StagedSummary> {
    await this.#working;
    if (this.#failure !== undefined)
      return {
        id: this.layer.id,
        ...noChanges,
        disk: 'has-room',
        foreign: [],
        layer: existsSync(this.layer.directory) ? 'kept' : 'removed',
      };
    await this.#taken.unmount();
    const summary = await closeLayer(this.layer, this.#origin());
    this.#taken.release();
    return summary;
  }

  async #unmounted<Value>(work: (layer: StagedLayer) => Promise<Worked<Value>>): Promise<Value> {
    await this.#taken.unmount();
    this.#taken.release();
    let next: string | undefined;
    try {
      const worked = await work(this.layer);
      next = worked.next;
      return worked.value;
    } finally {
      await this.#takeAgain(next);
    }
  }

  /** The work succeeded. If the session cannot go on, the next command reports that. */
  async #takeAgain(next: string | undefined): Promise<void> {
    try {
      this.#taken = await takeLayer(this.#ground, this.#following(next));
    } catch (error) {
      this.#failure = { error };
    }
  }

  #following(next: string | undefined): StagedChoice {
    const { layer } = this;
    const isThere = existsSync(layer.directory);
    if (next === undefined || next === layer.id) return isThere ? { into: layer.id } : 'new';
    if (isThere && changedPaths(layer) > 0) return { into: layer.id };
    if (isThere && this.#origin() === 'made-here') removeLayer(layer);
    return { into: next };
  }

  #origin(): 'named' | 'made-here' {
    return this.#choice !== 'new' && this.#choice.into === this.layer.id ? 'named' : 'made-here';
  }
}

const noChanges = { changed: 0, counted: 'exactly' } as const;

/**
 * Closes a layer and returns its summary. A named layer is kept, empty or not. So is one that could not be compared. The
 * caller holds it.
 */
async function closeLayer(layer: StagedLayer, origin: 'named' | 'made-here'): Promise<StagedSummary> {
  const count =
    changedPaths(layer) === 0 ? noChanges : (await import('../changes/count-changes.ts')).countChanges(layer);
  const disk = freeBytes(layer.directory) < full ? 'full' : 'has-room';
  const foreign = layer.roots.flatMap(({ root }) => (isForeign(root) ? [root] : []));
  if (count.changed > 0 || origin === 'named') return { id: layer.id, ...count, disk, foreign, layer: 'kept' };
  removeLayer(layer);
  return { id: layer.id, ...count, disk, foreign, layer: 'removed' };
}

/** A box maps only its user and the user's main group. A box of root acts as another owner of the workspace instead. */
function isForeign(root: string): boolean {
  const stats = statSync(root, { throwIfNoEntry: false });
  if (stats !== undefined && process.geteuid?.() === 0 && stats.uid !== 0) return false;
  return stats !== undefined && (stats.uid !== process.geteuid?.() || stats.gid !== process.getegid?.());
}

const full = 1 << 20;

/** A command needs some space to start with, and so do overlayfs and the journal. */
const least = 64 << 20;

/**
 * Returns the bytes that this user may still write on the file system of `path`, or of its nearest existing parent.
 * `Infinity` if the file system reports no number.
 */
function freeBytes(path: string): number {
  try {
    const { blocks, bavail, bsize } = statfsSync(path);
    return blocks === 0 ? Infinity : bavail * bsize;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES')
      throw new HoldfastError('HF_STATE_UNWRITABLE', `the state directory ${path} cannot be used (${code})`, {
        remedy: 'make it writable for you, or set XDG_STATE_HOME to a directory that is',
        cause: error,
      });
    if (code !== 'ENOENT' || path === '/') throw error;
    return freeBytes(dirname(path));
  }
}

/** Throws `HF_DISK_FULL` if there is no room for a layer. */
function requireRoom(state: string): void {
  const free = freeBytes(state);
  if (free >= least) return;
  throw new HoldfastError(
    'HF_DISK_FULL',
    `the disk that holds ${state} has ${Math.floor(free / (1 << 20))} MB left, and a staged layer needs at least ${least >> 20} MB`,
    {
      remedy:
        'free some space, discard layers that you no longer need (`holdfast staged list --all`), or set XDG_STATE_HOME to a larger disk',
    },
  );
}
