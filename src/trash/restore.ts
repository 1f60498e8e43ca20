import { closeSync, constants, lstatSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError, isHoldfastError } from '../errors/index.ts';
import {
  atFdcwd,
  below,
  changeMode,
  copyTree,
  inParent,
  isKernelError,
  kernelCall,
  noReplace,
  oPath,
  openAt,
  pathText,
  type NameAt,
  removeAt,
  renameAt,
  resolve,
} from '../kernel/index.ts';
import { content, readEntry, type ReadEntry } from './entry-file.ts';
import { holding, removeHeld } from './purge.ts';

export interface RestoreRequest {
  readonly id: string;
  /** Absolute path, without symlinks on the way. Default: the former path. */
  readonly to?: Buffer;
}

/**
 * Restores an item with all its metadata, and returns its path. Makes missing parent directories. Never overwrites
 * anything, and follows no symlink. Throws `HF_TRASH_FAILED` or `HF_DISK_FULL`; the entry is then unchanged.
 */
export function restoreItem(trash: string, { id, to }: RestoreRequest): Buffer {
  const read = readEntry(trash, id);
  if (read === undefined)
    throw new HoldfastError('HF_TRASH_FAILED', `there is no entry ${JSON.stringify(id)} in the trash`, {
      remedy: 'see `holdfast trash list`',
    });
  const path = to ?? Buffer.from(read.entry.pathBytes, 'base64');
  if (path.length === 0)
    throw new HoldfastError('HF_TRASH_FAILED', `the former path of ${id} is no longer known`, {
      remedy: 'name a path with --to PATH',
    });
  try {
    const done = holding(join(trash, id), (opened) => putBack({ trash, opened, read }, path));
    if (done.kind === 'done') return path;
  } catch (error) {
    throw trashError(path, 'could not be restored; it is still in the trash', error);
  }
  throw new HoldfastError('HF_TRASH_FAILED', `${id} is being restored or removed by another process`, {
    remedy: 'see `holdfast trash list`',
  });
}

interface Held {
  readonly trash: string;
  /** Descriptor of the entry's directory. */
  readonly opened: number;
  readonly read: ReadEntry;
}

function putBack({ trash, opened, read: { entry, mode } }: Held, path: Buffer): void {
  makeParents(path);
  // If a process was killed while it moved a read-only directory here, the directory is still writable.
  if (mode !== undefined) restoreMode(below(opened, content), mode);
  const from = { directory: opened, name: content };
  inParent(path, (directory, name) => {
    const to = { directory, name };
    if (moveTo(from, to) === 'other-file-system') copyTo(from, to, `.holdfast-restore-${entry.id}`);
  });
  removeHeld(trash, entry.id);
}

function restoreMode(path: Buffer, mode: number): void {
  if (lstatSync(path).isDirectory()) changeMode(path, mode);
}

/** Makes one directory after the other. Opens each before it makes the next one in it. */
function makeParents(path: Buffer): void {
  let directory = openAt(atFdcwd, '/', { flags: oPath | constants.O_DIRECTORY });
  for (const name of parentsOf(path)) {
    try {
      const next = enterOrMake(directory, name);
      closeSync(directory);
      directory = next;
    } catch (error) {
      closeSync(directory);
      throw error;
    }
  }
  closeSync(directory);
}

function parentsOf(path: Buffer): readonly Buffer[] {
  const parts = path
    .toString('latin1')
    .split('/')
    .filter((part) => part !== '');
  return parts.slice(0, -1).map((part) => Buffer.from(part, 'latin1'));
}

function enterOrMake(directory: number, name: Buffer): number {
  const how = { flags: oPath | constants.O_DIRECTORY, resolve: resolve.noSymlinks | resolve.noMagicLinks };
  try {
    return openAt(directory, name, how);
  } catch (error) {
    if (!isKernelError(error, 'ENOENT')) throw error;
    kernelCall('mkdirat', directory, Buffer.concat([name, Buffer.alloc(1)]), 0o777);
    return openAt(directory, name, how);
  }
}

/** Returns a typed error for a failure of the file system. `what` names the unchanged part. */
export function trashError(path: Buffer, what: string, cause: unknown): HoldfastError {
  if (isHoldfastError(cause)) return cause;
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
  const details = { path: pathText(path), errno: code };
  const message = `${JSON.stringify(pathText(path))} ${what} (${code})`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new HoldfastError('HF_DISK_FULL', message, {
      remedy: 'make room, e.g. with `holdfast trash purge --older-than 1d`',
      cause,
      details,
    });
  return new HoldfastError('HF_TRASH_FAILED', message, { remedy: remedies[code] ?? 'see the errno', cause, details });
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'check the owner and the mode of the directory it is in',
  EPERM: 'check the owner and the flags of the directory it is in',
  EBUSY: 'it is being written to, or something is mounted on it: try again when nothing uses it',
  EXDEV: 'unmount the file systems in it',
  ELOOP: 'a directory on the way to it is a symlink now: name the real path',
  ENOENT: 'it is gone already',
  EEXIST: 'name another path with --to PATH',
  EROFS: 'the file system is read-only',
};

type Moved = 'moved' | 'other-file-system';

/** Moves an entry in one step. Fails with `EEXIST` if something is there. */
export function moveTo(from: NameAt, to: NameAt): Moved {
  try {
    insist(from, to);
    return 'moved';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return 'other-file-system';
    throw error;
  }
}

/** Copies to a name beside the target, which is renamed once complete. Removes an earlier unfinished copy. */
export function copyTo(from: NameAt, to: NameAt, unfinished: string): void {
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

function discard(place: NameAt): void {
  if (exists(place)) removeAt(place);
}

function exists({ directory, name }: NameAt): boolean {
  return lstatSync(below(directory, name), { throwIfNoEntry: false }) !== undefined;
}

function rename(from: NameAt, to: NameAt): void {
  try {
    renameAt(from, to, noReplace);
  } catch (error) {
    // Some network and FUSE file systems do not support flags.
    if (!isKernelError(error, 'EINVAL') || exists(to)) throw error;
    renameSync(below(from.directory, from.name), below(to.directory, to.name));
  }
}

/**
 * Moving a directory changes its `..`, so its owner must be allowed to write to it. A read-only one is made writable
 * for the move.
 */
function insist(from: NameAt, to: NameAt): void {
  try {
    rename(from, to);
  } catch (error) {
    const stats = lstatSync(below(from.directory, from.name));
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || !stats.isDirectory() || (stats.mode & 0o200) !== 0)
      throw error;
    openUp(from, to, stats.mode & 0o7777);
  }
}

function openUp(from: NameAt, to: NameAt, mode: number): void {
  changeMode(below(from.directory, from.name), mode | 0o700);
  try {
    rename(from, to);
  } catch (error) {
    changeMode(below(from.directory, from.name), mode);
    throw error;
  }
  changeMode(below(to.directory, to.name), mode);
}
