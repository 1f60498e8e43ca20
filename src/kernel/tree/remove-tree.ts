import { closeSync, constants, fchmodSync, fstatSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { isKernelError } from '../kernel-error.ts';
import { openAt, resolve } from '../open-at.ts';
import type { Place } from '../rename-at.ts';
import { changeMode } from './metadata.ts';
import { below, inParent } from './place.ts';

/**
 * Removes a file, a link or a tree without ever leaving it, whatever another process does to it meanwhile. What is mounted
 * in it is not touched: it throws `KernelError` `EXDEV`, and the rest of the tree stays.
 */
export function removeTree(path: Buffer): void {
  inParent(path, (directory, name) => removeAt({ directory, name }));
}

export function removeAt({ directory, name }: Place): void {
  const path = below(directory, name);
  if (!lstatSync(path).isDirectory()) {
    unlinkSync(path);
    return;
  }
  const entered = enter(directory, name);
  try {
    const { mode } = fstatSync(entered);
    // A directory that forbids writing to its own owner could not be emptied.
    if ((mode & 0o700) !== 0o700) fchmodSync(entered, 0o700);
    for (const inner of readdirSync(below(entered, ''), { encoding: 'buffer' })) removeAt({ directory: entered, name: inner });
  } finally {
    closeSync(entered);
  }
  rmdirSync(path);
}

function enter(parent: number, name: Place['name']): number {
  try {
    return openInside(parent, name);
  } catch (error) {
    if (!isKernelError(error, 'EACCES')) throw error;
    changeMode(below(parent, name), 0o700);
    return openInside(parent, name);
  }
}

function openInside(parent: number, name: Place['name']): number {
  return openAt(parent, name, { flags: constants.O_RDONLY | constants.O_DIRECTORY, resolve: resolve.beneath | resolve.noSymlinks | resolve.noMountCrossing });
}
