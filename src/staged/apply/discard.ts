import { closeSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { atFdcwd, noReplace, oPath, openAt, removeTree, renameAt } from '../../kernel/index.ts';
import { isWhiteout } from '../changes/overlay-marks.ts';
import { holdLayer } from '../store/lock-layer.ts';
import { removeLayer } from '../store/open-layer.ts';
import type { StagedChange, StagedLayer } from '../types.ts';
import { currentChanges } from './bases.ts';
import { applyStepMetadata, marksAt, metadataAt } from './metadata.ts';
import { recoverAccepts, type Recovered } from './unmake.ts';
import type { Pace } from './scene.ts';
import { meantBy } from './select.ts';
import { openTree, statIn } from './tree.ts';
import { unveilAbove, type Sides } from './unveil.ts';

export interface DiscardOptions {
  /** Holdfast's state directory. */
  readonly state: string;
  /** Absolute paths on the host, with everything staged in them. Default: the whole layer. */
  readonly paths?: readonly Buffer[];
  readonly pace?: Pace;
}

export interface DiscardReport {
  /** Undefined for the whole layer, whose changes are not listed. */
  readonly discarded?: readonly StagedChange[];
  /** Whether the layer is gone. */
  readonly removed: boolean;
  readonly recovered: readonly Recovered[];
}

/**
 * Drops staged changes for good, without touching the host. Each path is dropped at once or not at all. Throws
 * `HF_STAGED_BUSY`, `HF_STAGED_INVALID`, and `HF_USAGE` for paths without a staged change below.
 */
export function dropLayer(layer: StagedLayer, { state, paths, pace = () => {} }: DiscardOptions): DiscardReport {
  const recovered = recoverAccepts(state, pace);
  const hold = holdLayer(layer);
  try {
    if (paths === undefined) {
      removeLayer(layer);
      return { removed: true, recovered };
    }
    const changes = currentChanges(layer);
    const unmatched = paths.find((path) => meantBy(changes, [path]).length === 0);
    if (unmatched !== undefined)
      throw new HoldfastError('HF_USAGE', `nothing is staged at or below ${JSON.stringify(unmatched.toString())}`, {
        remedy: 'see `holdfast review --name-only`',
      });
    const discarded = meantBy(changes, paths);
    dropChanges(layer, discarded, pace);
    const removed = currentChanges(layer).length === 0;
    if (removed) removeLayer(layer);
    return { discarded, removed, recovered };
  } finally {
    hold.release();
  }
}

function dropChanges(layer: StagedLayer, changes: readonly StagedChange[], pace: Pace): void {
  const doomed = join(layer.directory, 'discarded');
  removeTreeIfAny(doomed);
  mkdirSync(doomed, { mode: 0o700 });
  const bin = openAt(atFdcwd, doomed, { flags: oPath | constants.O_DIRECTORY | constants.O_NOFOLLOW });
  try {
    for (const root of layer.roots) {
      const sides = { upper: openTree(root.upper), host: openTree(root.root) };
      try {
        for (const [index, change] of changes.filter((each) => each.root.root === root.root).entries()) {
          pace('drop');
          drop(sides, change, { directory: bin, name: `${layer.roots.indexOf(root)}-${index}` });
        }
      } finally {
        sides.upper.close();
        sides.host.close();
      }
    }
  } finally {
    closeSync(bin);
    removeTree(doomed);
  }
}

interface Bin {
  readonly directory: number;
  readonly name: string;
}

function drop(sides: Sides, change: StagedChange, bin: Bin): void {
  if (change.from !== undefined) dropEntry(sides, change.from, { ...bin, name: `${bin.name}-from` });
  dropEntry(sides, change.path, bin);
}

/**
 * Lets the host's entry show again. A directory on both sides gets back only its own metadata: its entries are changes
 * themselves.
 */
function dropEntry(sides: Sides, path: Buffer, bin: Bin): void {
  const { upper, host } = sides;
  unveilAbove(sides, path);
  const staged = statIn(upper, path);
  if (staged === undefined) return;
  const place = upper.place(path);
  const below = statIn(host, path);
  const isDeletion = isWhiteout(staged, marksAt(place, staged));
  if (staged.isDirectory() && !isDeletion && below?.isDirectory() === true)
    return applyStepMetadata(place, metadataAt(host.place(path), below));
  renameAt(place, bin, noReplace);
  upper.forget();
}

function removeTreeIfAny(path: string): void {
  if (existsSync(path)) removeTree(path);
}
