import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, mkdirSync } from 'node:fs';
import { below, openDirectory, removeAt } from '../../kernel/index.ts';
import { createUnlocked, type Creating, discardUnlocked } from '../create.ts';
import { readCheckpoint, type Store, syncFileSystem } from '../store/manifest.ts';
import { about, type Checkpoint, type CheckpointEntry, type CheckpointLeftOut } from '../types.ts';
import { commitRestore, finishDirectory, openUp } from './commit.ts';
import { endPending, readPending, writePending } from './journal.ts';
import { isEmpty, openParents, planRestore, prepareRestore, type RestorePlan } from './prepare.ts';

export interface Restored {
  /** The checkpoint of the tree before the restore. Undefined if nothing had to be done. */
  readonly undo: string | undefined;
  readonly written: number;
  readonly removed: number;
  /** Number of entries of which only the metadata was changed. */
  readonly adjusted: number;
  /** Paths, as in entries, that someone changed meanwhile, or directories with entries that no checkpoint contains. */
  readonly skipped: readonly string[];
  readonly leftOut: readonly CheckpointLeftOut[];
}

/**
 * Restores the tree after saving its current state. To finish a killed restore, run it again: correct entries stay as
 * they are. The caller must hold the lock.
 */
export function restoreUnlocked(creating: Creating, id: string): Restored {
  const { store, root } = creating;
  const wanted = readCheckpoint(store, id);
  const pending = readPending(store);
  if (pending !== undefined) removeStaging(root, pending.staging);
  const before = createUnlocked(creating, { name: `before restore of ${id}`, origin: 'automatic' });
  const plan = planRestore(before.entries, wanted.entries);
  const undo = pending?.checkpoint === id ? pending.undo : before.summary.id;
  if (isEmpty(plan)) return nothingToDo({ store, before, undo: pending === undefined ? undefined : undo });
  const staging = `.holdfast-restore-${randomBytes(8).toString('hex')}`;
  writePending(store, { version: 1, checkpoint: id, undo, staging });
  const skipped = perform({ store, root, plan, staging }, rootOf(before), rootOf(wanted));
  syncFileSystem(store.workspace);
  endPending(store);
  return { ...countsOf(plan), undo, skipped, leftOut: before.leftOut };
}

interface Performing {
  readonly store: Store;
  readonly root: number;
  readonly plan: RestorePlan;
  readonly staging: string;
}

function perform(
  { store, root, plan, staging }: Performing,
  before: CheckpointEntry | undefined,
  wanted: CheckpointEntry | undefined,
): readonly string[] {
  const [top, aside] = [{ directory: root, name: '.' }, below(root, staging)];
  about('', 'cannot be written to', () => {
    openUp(top);
    mkdirSync(aside, { mode: 0o700 });
  });
  const parents = openParents(root);
  const opened = openDirectory(aside);
  let end = before;
  try {
    prepareRestore(store, opened, plan.install);
    end = wanted;
    return commitRestore({ plan, parents, staging: opened });
  } catch (error) {
    // Nothing had been changed.
    if (end === before) endPending(store);
    throw error;
  } finally {
    closeSync(opened);
    parents.close();
    removeStaging(root, staging);
    if (end?.kind === 'directory') finishDirectory(top, end);
  }
}

function removeStaging(root: number, name: string): void {
  if (lstatSync(below(root, name), { throwIfNoEntry: false }) !== undefined) removeAt({ directory: root, name });
}

function rootOf({ entries }: Checkpoint): CheckpointEntry | undefined {
  return entries.find(({ path }) => path === '');
}

function nothingToDo({
  store,
  before,
  undo,
}: {
  readonly store: Store;
  readonly before: Checkpoint;
  readonly undo: string | undefined;
}): Restored {
  discardUnlocked(store, before.summary.id);
  endPending(store);
  return { undo, written: 0, removed: 0, adjusted: 0, skipped: [], leftOut: before.leftOut };
}

function countsOf({
  install,
  makeDirectories,
  remove,
  removeDirectories,
  adjust,
  finish: directories,
}: RestorePlan): Pick<Restored, 'written' | 'removed' | 'adjusted'> {
  const made = new Set(makeDirectories);
  return {
    written: install.length + makeDirectories.length,
    removed: remove.length + removeDirectories.length,
    adjusted: adjust.length + directories.filter((entry) => !made.has(entry)).length,
  };
}
