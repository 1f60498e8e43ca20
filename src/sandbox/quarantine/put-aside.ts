import { chmodSync, closeSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace } from './pinned.ts';
import { copyTree, removeTree } from './trees.ts';

export type PutAside =
  | { readonly kind: 'moved'; readonly to: string }
  /** It could not be moved away, and has another name where it was. */
  | { readonly kind: 'renamed'; readonly suffix: string }
  | { readonly kind: 'gone' };

/** As in `native/src/launch/names/sweep.c`, which does the same when there is no supervisor. */
const refusedSuffix = '.refused-by-holdfast';
const largestCopy = { bytes: 256 << 20, entries: 100_000 } as const;

/**
 * Moves what lies at `pinned` into a fresh directory below `directory`, under `name`. Nothing is overwritten and nothing is
 * deleted. Throws when it can neither be moved nor be given another name.
 */
export function putAside(pinned: Buffer, directory: string, name: string): PutAside {
  try {
    lstatSync(pinned);
  } catch {
    return { kind: 'gone' };
  }
  const place = freshPlace(directory);
  if (place !== undefined && moveTo(pinned, join(place, name)) === 'moved') return { kind: 'moved', to: join(place, name) };
  if (place !== undefined) rmSync(place, { recursive: true, force: true });
  return { kind: 'renamed', suffix: renameInPlace(pinned) };
}

function freshPlace(directory: string): string | undefined {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (let number = readdirSync(directory).length + 1; ; number += 1) {
      const place = join(directory, String(number));
      if (makeDirectory(place) === 'made') return place;
    }
  } catch {
    return undefined;
  }
}

function makeDirectory(path: string): 'made' | 'taken' {
  try {
    mkdirSync(path, { mode: 0o700 });
    return 'made';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'taken';
    throw error;
  }
}

function moveTo(pinned: Buffer, to: string): 'moved' | 'stayed' {
  try {
    insist(pinned, () => renameSync(pinned, to));
    return 'moved';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EXDEV' ? copyTo(pinned, to) : 'stayed';
  }
}

/** A box can make what it planted, and the directory around it, read-only; both are ours as well. */
function insist(pinned: Buffer, work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    makeWritable(Buffer.concat([pinned.subarray(0, pinned.lastIndexOf('/')), Buffer.from('/.')]));
    if (lstatSync(pinned).isDirectory()) makeWritable(pinned);
    work();
  }
}

function makeWritable(path: Buffer): void {
  const directory = openPlace(path);
  const place = `/proc/self/fd/${directory}`;
  try {
    chmodSync(place, (statSync(place).mode & 0o7777) | 0o700);
  } finally {
    closeSync(directory);
  }
}

/** To another file system. The original goes only when the copy is whole. */
function copyTo(pinned: Buffer, to: string): 'moved' | 'stayed' {
  try {
    copyTree(pinned, Buffer.from(to), { ...largestCopy });
  } catch {
    return 'stayed';
  }
  insist(pinned, () => removeTree(pinned));
  return 'moved';
}

function renameInPlace(pinned: Buffer): string {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? refusedSuffix : `${refusedSuffix}.${number}`;
    const to = Buffer.concat([pinned, Buffer.from(suffix)]);
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) continue;
    insist(pinned, () => renameSync(pinned, to));
    return suffix;
  }
}
