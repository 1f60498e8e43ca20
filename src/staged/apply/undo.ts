import { HoldfastError } from '../../errors/index.ts';
import { isWhiteout } from '../changes/overlay-marks.ts';
import { holdLayer } from '../store/lock-layer.ts';
import { appendMark, readJournal } from './journal.ts';
import { marksAt } from './metadata.ts';
import { type AcceptRecord, doneJournalOf, listAccepts, reopenRecord, withRecordLock } from './record.ts';
import { openScene, type Pace, type Scene } from './scene.ts';
import { stepPath } from './forward.ts';
import { statIn } from './tree.ts';
import { idOf, isDirectoryId, sameInode, sameLook, type AcceptStep } from './types.ts';
import { layerAgain, recoverAccepts, type Recovered, unmakeHeld } from './unmake.ts';

export interface UndoOptions {
  /** Holdfast's state directory. */
  readonly state: string;
  /** Real path of the workspace whose last accept is undone. */
  readonly workspace: string;
  /** Undoes only an accept of this layer. */
  readonly layer?: string;
  readonly pace?: Pace;
}

export interface UndoReport {
  readonly record: AcceptRecord;
  /** Absolute paths that changed during the undo, and were left alone. The record keeps their old entries. */
  readonly conflicts: readonly string[];
  readonly recovered: readonly Recovered[];
}

/**
 * Undoes the last accept. The host gets its old entries back, with modes, times, attributes and links. The accepted
 * changes are staged again in the layer that they came from. Throws `HF_STAGED_CONFLICT`, before anything is done, if a
 * name was changed on the host or staged again since. Throws `HF_USAGE` if there is nothing to undo.
 */
export function undoLayer({ state, workspace, layer, pace = () => {} }: UndoOptions): UndoReport {
  const recovered = recoverAccepts(state, pace);
  const record = listAccepts(state, workspace).find((each) => layer === undefined || each.layer === layer);
  if (record === undefined) throw nothingToUndo(layer);
  const conflicts = withRecordLock(record.directory, () => undo(state, record, pace));
  if (conflicts === undefined)
    throw new HoldfastError('HF_STAGED_BUSY', 'another process is undoing this accept', {
      remedy: 'wait until it has ended',
    });
  return { record, conflicts, recovered };
}

function undo(state: string, { directory }: AcceptRecord, pace: Pace): readonly string[] {
  const { plan } = readJournal(doneJournalOf(directory));
  const layer = layerAgain(state, directory, plan);
  const hold = holdLayer(layer);
  try {
    const scene = openScene(plan, { record: directory, pace, uppers: layer.roots.map(({ upper }) => upper) });
    try {
      refuseConflicts(scene);
    } finally {
      scene.close();
    }
    appendMark(doneJournalOf(directory), 'undo');
    reopenRecord(directory);
    pace('reopened');
    return unmakeHeld(plan, { record: directory, pace, layer }).conflicts;
  } finally {
    hold.release();
  }
}

function refuseConflicts(scene: Scene): void {
  const { plan } = scene;
  const taken = new Set(plan.steps.filter(({ kind }) => kind !== 'take').map((step) => stepPath(plan, step)));
  const found = plan.steps.flatMap((step) => {
    const reason =
      (step.kind === 'take' && taken.has(stepPath(plan, step)) ? undefined : hostTrouble(scene, step)) ??
      layerTrouble(scene, step);
    return reason === undefined ? [] : [{ path: stepPath(plan, step), reason }];
  });
  if (found.length === 0) return;
  const lines = found.slice(0, 20).map(({ path, reason }) => `\n  ${JSON.stringify(path)}: ${reason}`);
  throw new HoldfastError(
    'HF_STAGED_CONFLICT',
    `nothing was undone: accepted files have changed since${lines.join('')}${found.length > 20 ? `\n  and ${found.length - 20} more` : ''}`,
    {
      remedy: 'restore these files to their accepted state, or move them away, and undo again',
      details: { paths: found.map(({ path }) => path) },
    },
  );
}

function hostTrouble(scene: Scene, step: AcceptStep): string | undefined {
  const stats = statIn(scene.hostTree(step.root), step.path);
  if (step.kind === 'take') return stats === undefined ? undefined : 'it is there again';
  if (stats === undefined) return 'it was removed since';
  const id = idOf(stats);
  if (step.kind === 'make') return isDirectoryId(id) ? undefined : 'it is no longer a directory';
  if (step.staged === undefined || !sameLook(id, step.staged) || (step.way === 'move' && !sameInode(id, step.staged)))
    return 'it was changed since';
  return undefined;
}

/** A staged entry can return only if its old name in the layer is free. */
function layerTrouble(scene: Scene, step: AcceptStep): string | undefined {
  if (step.kind === 'make' || (step.kind === 'take' && !step.whiteout)) return undefined;
  return isFree(scene, step) ? undefined : 'it was staged again since';
}

function isFree(scene: Scene, { root, path }: AcceptStep): boolean {
  const upper = scene.upperTree(root);
  if (statIn(upper, path) !== undefined) return false;
  // A missing directory on the way is fine, but not one that is deleted in the layer.
  for (let cut = path.lastIndexOf(0x2f); cut > 0; cut = path.lastIndexOf(0x2f, cut - 1)) {
    const parent = path.subarray(0, cut);
    const stats = statIn(upper, parent);
    if (stats !== undefined) return stats.isDirectory() && !isWhiteout(stats, marksAt(upper.place(parent), stats));
  }
  return true;
}

function nothingToUndo(layer: string | undefined): HoldfastError {
  return new HoldfastError(
    'HF_USAGE',
    layer === undefined
      ? 'no accept of this workspace can be undone'
      : `no accept of the layer ${JSON.stringify(layer)} can be undone`,
    {
      remedy: 'accept changes first; after more than ten accepts, or 1 GB of them, restore older files by hand',
    },
  );
}
