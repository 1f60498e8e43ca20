import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchedBox } from '../../backends/backend.ts';
import { HoldfastError } from '../../errors/index.ts';
import { unescapeMount } from '../../place/host/bind-mounts.ts';
import type { Place } from '../../place/place.ts';
import type { LayerDirectory } from '../../plan/mount.ts';
import { stagedRootsOf, stagePlan } from '../../plan/staged.ts';
import type { Plan } from '../../plan/types.ts';
import type { Recovered } from '../apply/unmake.ts';
import { layersDirectory, stagedRoots } from '../store/layout.ts';
import type { StagedLayer } from '../types.ts';
import type { ChangeCount } from '../changes/count-changes.ts';

/** Target of staged writes: a new layer, or one that an earlier command has left. */
export type StagedChoice = 'new' | { readonly into: string };

/**
 * `many`: boxes share one mount, which a process of its own keeps. `one`: a single box mounts the layer for itself,
 * which starts faster.
 */
export type StagedBoxes = 'one' | 'many';

/** A session whose writes wait for a review. */
export interface Staging {
  /** The current layer. */
  readonly layer: StagedLayer;
  readonly boxes: StagedBoxes;
  /** Killed accepts and undos that were completed before the layer was taken. */
  readonly recovered: readonly Recovered[];
  /** `encodeBox` of the staged plan. */
  readonly box: Uint8Array;
  /** Returns the staged form of a live plan. Throws `HF_GUARANTEE_MISSING` if it cannot be staged. */
  stage(plan: Plan): Plan;
  /**
   * Claims the layer for a box. Throws `HF_STAGED_BUSY` if the layer takes one box at a time and another box uses it.
   */
  enter(plan: Plan): StagedRun;
  /**
   * Runs `work` on the layer while no box uses it. The session goes on in the layer that `work` names, in the rest of
   * the old one, or in a new one. Throws `HF_STAGED_BUSY` if a box uses the layer.
   */
  apart<Value>(boxes: RestingBoxes, work: (layer: StagedLayer) => Promise<Worked<Value>>): Promise<Value>;
  /** Releases the layer, and removes one that was made for this session and is empty. */
  close(): Promise<StagedSummary>;
}

/** Boxes that run no command, but have the layer mounted. */
export interface RestingBoxes {
  /**
   * Ends these boxes, and lets no command start until `resume`. Throws `HF_STAGED_BUSY` if a command runs. Nothing then
   * needs to be resumed.
   */
  rest(): Promise<void>;
  resume(): void;
}

export interface Worked<Value> {
  readonly value: Value;
  /** Layer to go on in if the current one is empty. */
  readonly next?: string;
}

export interface StagedRun {
  /** Ends the box if the layer grows beyond `limits.staged`. */
  watch(box: Pick<LaunchedBox, 'end'>): void;
  /** Returns why the box was ended, if it was. */
  failure(): HoldfastError | undefined;
  leave(): void;
}

export interface StagedSummary {
  readonly id: string;
  /** Number of changes in the whole layer. */
  readonly changed: number;
  readonly counted: ChangeCount['counted'];
  /** `removed` if there were no changes to keep. */
  readonly layer: 'kept' | 'removed';
  /** `full`: less than a megabyte is left on the layers' disk, so the command's last writes may be missing. */
  readonly disk: 'has-room' | 'full';
  /**
   * Roots of another user or group. The kernel copies up only entries of the box's ids. Changing others is `EOVERFLOW`.
   */
  readonly foreign: readonly string[];
}

/** Stages a plan that will not run: no layer is made, and its name is `new`. Throws the errors of staging a command. */
export function plannedStaging({ paths }: Pick<Place, 'paths'>): Pick<Staging, 'stage'> {
  return {
    stage: (plan) => {
      const roots = stagedRootsOf(plan);
      refuseMountsWithin(roots);
      const places = stagedRoots(join(layersDirectory(paths.state), 'new'), roots);
      return stagePlan(
        plan,
        new Map(places.map(({ root, upper, work }) => [root, { upper: unmade(upper), work: unmade(work) }])),
      );
    },
  };
}

function unmade(path: string): LayerDirectory {
  return { path, identity: { device: '0', inode: '0', type: 'directory' } };
}

/**
 * Refuses a root with other mounts in it. An overlay does not show them, and the kernel lets no unprivileged user look
 * beneath. Throws `HF_GUARANTEE_MISSING`. `table` is the text of `/proc/self/mountinfo`, proc(5).
 */
export function refuseMountsWithin(
  roots: readonly string[],
  table: string = readFileSync('/proc/self/mountinfo', 'utf8'),
): void {
  const points = table.split('\n').map((line) => unescapeMount(line.split(' ')[4] ?? ''));
  for (const root of roots) {
    const point = points.find((path) => path.startsWith(`${root}/`));
    if (point !== undefined) throw mountWithin(root, point);
  }
}

function mountWithin(root: string, point: string): HoldfastError {
  return new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `${root} cannot be staged, because another file system is mounted in it at ${point} (guarantee: fs.stage)`,
    {
      remedy: `unmount ${point}, or work without --staged`,
      details: { missing: ['fs.stage'], root, point },
    },
  );
}
