import { lstatSync, type Stats } from 'node:fs';

/**
 * What says that a file or a directory is as it was: device, inode, size, and the times of its content and of the inode.
 * Programs set the first time as they like and the second not at all (inode(7)); in a directory it moves with each name that
 * comes, goes or changes its meaning. What it does not tell: a write through a mapping that was made before. So a stamp may
 * save a look, and never stands for bytes that are used.
 */
export type Stamp = readonly [device: number, inode: number, size: number, content: number, changed: number];

/** Undefined for what is not there. Throws what `lstat` throws otherwise. */
export function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

export function isSame([device, inode, size, content, changed]: Stamp, { dev, ino, size: length, mtimeMs, ctimeMs }: Stats): boolean {
  return ctimeMs === changed && ino === inode && mtimeMs === content && length === size && dev === device;
}

/**
 * Undefined for what changed just now: the clock of the file system has ticks of some milliseconds, and a second change in
 * one tick would not be seen.
 */
export function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats, now: number): Stamp | undefined {
  return now - ctimeMs < tooFresh ? undefined : [dev, ino, size, mtimeMs, ctimeMs];
}

/** Milliseconds. */
const tooFresh = 2000;
