import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchedBox } from '../../backends/backend.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { Place } from '../../place/place.ts';
import { stagedRootsOf, stagePlan } from '../../plan/staged.ts';
import type { LayerDirectory, Plan } from '../../plan/types.ts';
import type { Recovered } from '../apply/index.ts';
import { layersDirectory, stagedRoots } from '../store/layout.ts';
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
   * Runs `work` on the layer while no box has it. The session goes on in the layer that `work` names, in the rest of
   * the old one, or in a new one. Throws `HF_STAGED_BUSY` if a box uses the layer.
   */
  apart<Value>(boxes: RestingBoxes, work: (layer: StagedLayer) => Promise<Worked<Value>>): Promise<Value>;
  /** Gives the layer back, and removes one that was made for this session and in which nothing was left. */
  close(): Promise<StagedSummary>;
}

/** Boxes that nobody waits for, but that have the layer mounted. */
export interface RestingBoxes {
  /**
   * Ends them; no command starts until `resume`. Throws `HF_STAGED_BUSY`, with nothing to resume, when someone does
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

/**
 * Stages a plan that nobody runs: no layer is made, and `new` stands for its name. Throws what staging a command would.
 */
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
  const points = table.split('\n').map((line) => unescaped(line.split(' ')[4] ?? ''));
  for (const root of roots) {
    const point = points.find((path) => path.startsWith(`${root}/`));
    if (point !== undefined) throw mountWithin(root, point);
  }
}

/** Space, tab, newline and backslash stand as three octal digits. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
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
