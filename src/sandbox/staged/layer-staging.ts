import { existsSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/index.ts';
import { changedPaths, removeLayer } from '../../staged/store/index.ts';
import type { Recovered } from '../../staged/apply/index.ts';
import type { StagedLayer } from '../../staged/types.ts';
import { closeLayer } from './close-layer.ts';
import { LayerUse } from './layer-use.ts';
import type { RestingBoxes, StagedBoxes, StagedChoice, StagedRun, StagedSummary, Staging, Worked } from './staging.ts';
import { takeLayer, type StagedGround, type TakenLayer } from './take-layer.ts';

export interface StagingStart {
  readonly choice: StagedChoice;
  readonly recovered: readonly Recovered[];
}

/** The layer of a session: at first the one that was chosen, later what accepting, discarding and undoing made of it. */
export class LayerStaging implements Staging {
  readonly boxes: StagedBoxes;
  readonly recovered: readonly Recovered[];
  readonly #ground: StagedGround;
  readonly #choice: StagedChoice;
  readonly #use: LayerUse;
  #closed: Promise<StagedSummary> | undefined;
  /** Settles when nobody works on the layer any more. */
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
    if (this.#closed !== undefined) throw new HoldfastError('HF_USAGE', 'this sandbox is closed', { remedy: `use its layer ${this.layer.id} by its ID` });
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
    if (this.#failure !== undefined) return { id: this.layer.id, changed: 0, disk: 'has-room', foreign: [], layer: existsSync(this.layer.directory) ? 'kept' : 'removed' };
    await this.#taken.unmount();
    const summary = closeLayer(this.layer, this.#origin());
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

  /** What was done is done: that it cannot go on is told to the next command. */
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
