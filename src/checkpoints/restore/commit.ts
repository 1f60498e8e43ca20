import { type BigIntStats, lstatSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import {
  applyMetadata,
  below,
  changeMode,
  exchangeNames,
  isKernelError,
  noReplace,
  type NameAt,
  renameAt,
} from '../../kernel/index.ts';
import { about, type CheckpointEntry } from '../types.ts';
import {
  type Adjustment,
  type EntryInstallation,
  metadataFor,
  parentOf,
  type ParentDirectories,
  preparedName,
  type RestorePlan,
} from './prepare.ts';

export interface Commit {
  readonly plan: RestorePlan;
  readonly parents: ParentDirectories;
  /** Directory of prepared entries, and of entries removed from the tree. */
  readonly staging: number;
}

/**
 * Changes the tree, each file in one step. If an entry changed since the tree was read, someone is working on it. Then
 * it stays unchanged, and its path is returned.
 */
export function commitRestore(committing: Commit): readonly string[] {
  const { plan, parents } = committing;
  const skipped: string[] = [];
  const step = (path: string, work: () => Outcome): void => {
    if (about(path, 'cannot be restored', () => unlessMoved(work)) === 'skipped') skipped.push(path);
  };
  for (const path of writtenIn(plan)) step(path, () => openUp(parents.at(path)));
  for (const [number, entry] of plan.remove.entries())
    step(entry.path, () => takeAway(committing, entry, `old-${number}`));
  for (const { path } of plan.removeDirectories) step(path, () => removeEmpty(parents.at(path)));
  for (const { path } of plan.makeDirectories) step(path, () => makeDirectory(parents.at(path)));
  for (const [number, installation] of plan.install.entries())
    step(installation.entry.path, () => install(committing, installation, preparedName(number)));
  for (const adjustment of plan.adjust)
    step(adjustment.wanted.path, () => adjust(parents.at(adjustment.wanted.path), adjustment));
  // The workspace itself comes last, after the prepared entries have left it.
  for (const entry of plan.finish)
    if (entry.path !== '') step(entry.path, () => finishDirectory(parents.at(entry.path), entry));
  return skipped;
}

type Outcome = 'done' | 'skipped';

/** Errors if someone moved or replaced a directory on the way, or put a symlink there. */
const moved: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EEXIST',
  'ENOTEMPTY',
  'EXDEV',
  'EBUSY',
  'EISDIR',
]);

function unlessMoved(work: () => Outcome): Outcome {
  try {
    return work();
  } catch (error) {
    if (moved.has((error as NodeJS.ErrnoException).code ?? '')) return 'skipped';
    throw error;
  }
}

/** Returns existing directories in which something will be written. */
function writtenIn(plan: RestorePlan): ReadonlySet<string> {
  const made = new Set(plan.makeDirectories.map(({ path }) => path));
  const changed = [
    ...plan.remove,
    ...plan.removeDirectories,
    ...plan.makeDirectories,
    ...plan.install.map(({ entry }) => entry),
  ];
  return new Set(
    changed
      .map(({ path }) => parentOf(path))
      .filter((path) => !made.has(path))
      .sort(),
  );
}

/** A directory that is read-only for its owner gets its own mode back at the end. */
export function openUp(place: NameAt): Outcome {
  const path = below(place.directory, place.name);
  const stats = lstatSync(path);
  if (stats.isDirectory() && (stats.mode & 0o300) !== 0o300) changeMode(path, (stats.mode & 0o7777) | 0o700);
  return 'done';
}

/**
 * Checks an entry after it was removed from the tree, when no other program can find it. Puts it back if it has
 * changed.
 */
function takeAway({ parents, staging }: Commit, entry: CheckpointEntry, name: string): Outcome {
  const [place, aside] = [parents.at(entry.path), { directory: staging, name }];
  renameAt(place, aside, noReplace);
  if (isStill(statsOf(aside), entry)) return 'done';
  renameAt(aside, place, noReplace);
  return 'skipped';
}

function removeEmpty({ directory, name }: NameAt): Outcome {
  rmdirSync(below(directory, name));
  return 'done';
}

function makeDirectory({ directory, name }: NameAt): Outcome {
  mkdirSync(below(directory, name), { mode: 0o700 });
  return 'done';
}

function install({ parents, staging }: Commit, { entry, replaces }: EntryInstallation, name: string): Outcome {
  const [place, prepared] = [parents.at(entry.path), { directory: staging, name }];
  if (replaces === undefined) {
    renameAt(prepared, place, noReplace);
    return 'done';
  }
  return exchangeFor(prepared, place, replaces);
}

function exchangeFor(prepared: NameAt, place: NameAt, replaces: CheckpointEntry): Outcome {
  try {
    renameAt(prepared, place, exchangeNames);
  } catch (error) {
    // Some network and FUSE file systems cannot exchange names.
    if (!isKernelError(error, 'EINVAL')) throw error;
    if (!isStill(statsOf(place), replaces)) return 'skipped';
    renameSync(below(prepared.directory, prepared.name), below(place.directory, place.name));
    return 'done';
  }
  if (isStill(statsOf(prepared), replaces)) return 'done';
  renameAt(prepared, place, exchangeNames);
  return 'skipped';
}

function adjust({ directory, name }: NameAt, { live, wanted }: Adjustment): Outcome {
  if (!isStill(statsOf({ directory, name }), live)) return 'skipped';
  applyMetadata(below(directory, name), metadataFor(wanted));
  return 'done';
}

export function finishDirectory({ directory, name }: NameAt, entry: CheckpointEntry): Outcome {
  if (!statsOf({ directory, name }).isDirectory()) return 'skipped';
  applyMetadata(below(directory, name), metadataFor(entry));
  return 'done';
}

function statsOf({ directory, name }: NameAt): BigIntStats {
  return lstatSync(below(directory, name), { bigint: true });
}

/** Ignores the change time, which the move itself has set. */
function isStill(stats: BigIntStats, entry: CheckpointEntry): boolean {
  return (
    stats.ino === entry.inode &&
    stats.dev === entry.device &&
    stats.mtimeNs === entry.modified &&
    (entry.kind !== 'file' || stats.size === BigInt(entry.size))
  );
}
