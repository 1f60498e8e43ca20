import { lstatSync, renameSync } from 'node:fs';
import {
  below,
  changeMode,
  copyTree,
  isKernelError,
  noReplace,
  removeAt,
  renameAt,
  type Place,
} from '../kernel/index.ts';

export type Moved = 'moved' | 'other-file-system';

/** Gives an entry another place in one step. Fails with `EEXIST` when something is there. */
export function moveTo(from: Place, to: Place): Moved {
  try {
    insist(from, to);
    return 'moved';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return 'other-file-system';
    throw error;
  }
}

/** A copy beside the target takes its name when it is whole. What was copied before and not finished is removed. */
export function copyTo(from: Place, to: Place, unfinished: string): void {
  const copy = { directory: to.directory, name: unfinished };
  discard(copy);
  try {
    copyTree(below(from.directory, from.name), below(copy.directory, copy.name));
    insist(copy, to);
  } catch (error) {
    discard(copy);
    throw error;
  }
}

function discard(place: Place): void {
  if (exists(place)) removeAt(place);
}

function exists({ directory, name }: Place): boolean {
  return lstatSync(below(directory, name), { throwIfNoEntry: false }) !== undefined;
}

function rename(from: Place, to: Place): void {
  try {
    renameAt(from, to, noReplace);
  } catch (error) {
    // Some network and FUSE file systems know no flags.
    if (!isKernelError(error, 'EINVAL') || exists(to)) throw error;
    renameSync(below(from.directory, from.name), below(to.directory, to.name));
  }
}

/**
 * Moving a directory changes its `..`, which its owner must be allowed to write: a read-only one is opened up for it.
 */
function insist(from: Place, to: Place): void {
  try {
    rename(from, to);
  } catch (error) {
    const stats = lstatSync(below(from.directory, from.name));
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || !stats.isDirectory() || (stats.mode & 0o200) !== 0)
      throw error;
    openUp(from, to, stats.mode & 0o7777);
  }
}

function openUp(from: Place, to: Place, mode: number): void {
  changeMode(below(from.directory, from.name), mode | 0o700);
  try {
    rename(from, to);
  } catch (error) {
    changeMode(below(from.directory, from.name), mode);
    throw error;
  }
  changeMode(below(to.directory, to.name), mode);
}
