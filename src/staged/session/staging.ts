import type { LaunchedBox } from '../../backends/index.ts';
import type { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { Recovered } from '../apply/index.ts';
import type { StagedLayer } from '../types.ts';

/** Where writes go instead of to the host: to a new layer, or into one that an earlier command has left. */
export type StagedChoice = 'new' | { readonly into: string };

/**
 * `many` boxes share one mount, which a process of its own keeps; `one` at a time mounts it for itself, which is
 * quicker to start.
 */
export type StagedBoxes = 'one' | 'many';

/** A session whose writes wait for a review. */
export interface Staging {
  /** The one that writes go to now. */
  readonly layer: StagedLayer;
  readonly boxes: StagedBoxes;
  /** Accepts and undos that had been killed, and that were ended before the layer was taken. */
  readonly recovered: readonly Recovered[];
  /** `encodeBox` of the staged plan. */
  readonly box: Uint8Array;
  /** The staged form of a live plan. Throws `HF_GUARANTEE_MISSING` for what cannot be staged. */
  stage(plan: Plan): Plan;
  /** Claims the layer for a box. Throws `HF_STAGED_BUSY` when it takes one at a time, and another one has it. */
  enter(plan: Plan): StagedRun;
  /**
   * Works on the layer while no box has it, and goes on in what `work` names, in what is left of it, or in a new one.
   * Throws
   * `HF_STAGED_BUSY` when a box uses it.
   */
  apart<Value>(boxes: RestingBoxes, work: (layer: StagedLayer) => Promise<Worked<Value>>): Promise<Value>;
  /** Gives the layer back, and removes one that was made for this session and in which nothing was left. */
  close(): Promise<StagedSummary>;
}

/** Boxes that nobody waits for, but that have the layer mounted. */
export interface RestingBoxes {
  /**
   * Ends them; no command starts until `resume`. Throws `HF_STAGED_BUSY`, with nothing to resume, when somebody does
   * wait for one.
   */
  rest(): Promise<void>;
  resume(): void;
}

export interface Worked<Value> {
  readonly value: Value;
  /** Layer to go on in when nothing is left in the present one. */
  readonly next?: string;
}

export interface StagedRun {
  /** Ends the box when the layer grows beyond `limits.staged`. */
  watch(box: Pick<LaunchedBox, 'end'>): void;
  /** Why the box was ended, if it was. */
  failure(): HoldfastError | undefined;
  leave(): void;
}

export interface StagedSummary {
  readonly id: string;
  /** Entries that stand for a change, in the whole layer. */
  readonly changed: number;
  /** `removed` when there was nothing to keep. */
  readonly layer: 'kept' | 'removed';
  /** `full` when less than a megabyte is left where layers lie: what the command wrote last may be missing. */
  readonly disk: 'has-room' | 'full';
  /**
   * Roots of another user or group. The kernel copies up only what belongs to ids of the box: changing the rest is
   * `EOVERFLOW`.
   */
  readonly foreign: readonly string[];
}
