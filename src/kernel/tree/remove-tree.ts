import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { isKernelError } from '../kernel-error.ts';
import { noReplace, oPath, openAt, type NameAt, renameAt, resolve } from '../open-at.ts';
import { changeMode } from './metadata.ts';
import { below } from './copy-tree.ts';

/**
 * Removes a file, link or tree, and never leaves it, even if another process changes it meanwhile. Handles directories
 * without permissions, names that are not UTF-8, and any depth. Follows symlinks in the parent path, for which the
 * caller is responsible. Does not touch mounts in the tree: throws `KernelError` `EXDEV` or `EBUSY`, and keeps the
 * remaining tree.
 */
export function removeTree(path: string): void {
  const directory = openSync(dirname(path), oPath | constants.O_DIRECTORY);
  try {
    removeAt({ directory, name: basename(path) });
  } finally {
    closeSync(directory);
  }
}

/** Like `removeTree`, for a name in an open directory. */
export function removeAt(place: NameAt): void {
  const path = below(place.directory, place.name);
  if (!lstatSync(path).isDirectory()) return unlinkSync(path);
  const top = enter(place);
  try {
    const tree: Tree = { top, lifted: [], count: 0 };
    empty(tree, top, 1);
    for (let name = tree.lifted.pop(); name !== undefined; name = tree.lifted.pop())
      removeDirectory(tree, { directory: top, name }, 1);
  } finally {
    closeSync(top);
  }
  rmdirSync(path);
}

/** Each level uses a descriptor and a stack frame, and a box can nest without end. */
const deepest = 100;

interface Tree {
  readonly top: number;
  /** Names at the top of directories that were too deep. */
  readonly lifted: string[];
  count: number;
}

function empty(tree: Tree, directory: number, depth: number): void {
  for (const entry of readdirSync(below(directory, ''), { encoding: 'buffer', withFileTypes: true })) {
    const { name } = entry;
    if (!entry.isDirectory()) unlinkSync(below(directory, name));
    else if (depth < deepest) removeDirectory(tree, { directory, name }, depth + 1);
    else lift(tree, { directory, name });
  }
}

function removeDirectory(tree: Tree, place: NameAt, depth: number): void {
  const entered = enter(place);
  try {
    empty(tree, entered, depth);
  } finally {
    closeSync(entered);
  }
  rmdirSync(below(place.directory, place.name));
}

/**
 * Moves a directory to the top of the tree, to be emptied there. Moving changes its `..`, so it must be writable for
 * this process.
 */
function lift(tree: Tree, place: NameAt): void {
  closeSync(enter(place));
  for (;;) {
    const name = `.deep-${tree.count++}`;
    try {
      renameAt(place, { directory: tree.top, name }, noReplace);
      tree.lifted.push(name);
      return;
    } catch (error) {
      if (!isKernelError(error, 'EEXIST')) throw error;
    }
  }
}

/** Opens a directory to empty it. Makes one that is closed to its own owner writable first. */
function enter({ directory, name }: NameAt): number {
  const entered = openOrUnlock(directory, name);
  const { mode } = fstatSync(entered);
  if ((mode & 0o700) !== 0o700) fchmodSync(entered, 0o700);
  return entered;
}

function openOrUnlock(parent: number, name: NameAt['name']): number {
  try {
    return openInside(parent, name);
  } catch (error) {
    if (!isKernelError(error, 'EACCES')) throw error;
    changeMode(below(parent, name), 0o700);
    return openInside(parent, name);
  }
}

function openInside(parent: number, name: NameAt['name']): number {
  return openAt(parent, name, {
    flags: constants.O_RDONLY | constants.O_DIRECTORY,
    resolve: resolve.beneath | resolve.noSymlinks | resolve.noMountCrossing,
  });
}
