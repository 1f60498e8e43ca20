import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';

export interface OwnFileContent {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: 0o600 | 0o400 | 0o644;
}

/**
 * Replaces a file atomically, and syncs it to the disk before it returns. After a crash the old file or the new one is
 * there. The caller holds the lock, so one name for the unfinished file is enough.
 */
export function writeOwnFile({ path, bytes, mode }: OwnFileContent): void {
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  try {
    write(fresh, bytes, mode);
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  syncStore(dirname(path));
}

/** Makes a missing directory. Throws `HF_TRUST_INVALID` for one that others may write. */
export function makeOwnDirectory(path: string): void {
  if (hasOwnDirectory(path)) return;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  syncStore(dirname(path));
}

function write(path: string, bytes: Uint8Array, mode: number): void {
  const fd = openSync(path, 'wx', mode);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    // Under any umask.
    fchmodSync(fd, mode);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Syncs the directory, which puts the file's name on the disk. */
export function syncStore(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Returns the bytes of a file that only this user can have written. Undefined if there is no file. Throws
 * `HF_TRUST_INVALID` for a symlink, a special file, a file that others own or may write, and one longer than `longest`.
 */
export function readOwnFile(path: string, longest: number): Buffer | undefined {
  const fd = open(path);
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw invalidFile(path, 'is not a regular file');
    checkOwner(path, stats);
    if (stats.size > longest)
      throw invalidFile(path, `has ${stats.size} bytes, more than anything that Holdfast writes there`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Returns whether the directory exists. Only this user may write it. Throws like `readOwnFile`. */
export function hasOwnDirectory(path: string): boolean {
  const stats = look(path);
  if (stats === undefined) return false;
  if (!stats.isDirectory()) throw invalidFile(path, 'is not a directory');
  checkOwner(path, stats);
  return true;
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** A FIFO would block, and a symlink could lead to someone else's file. */
function open(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw code === 'ELOOP' ? invalidFile(path, 'is a symlink', cause) : unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): Error {
  return invalidFile(path, `cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown error'})`, cause);
}

const othersMayWrite = 0o022;

function checkOwner(path: string, { uid, mode }: Stats): void {
  if (uid !== process.geteuid?.()) throw invalidFile(path, 'belongs to another user');
  if ((mode & othersMayWrite) !== 0) throw invalidFile(path, 'may be written by others');
}

/** Returns the error for a file that cannot be trusted, which stays unchanged. */
export function invalidFile(path: string, why: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_TRUST_INVALID', `${path} ${why}, so Holdfast does not trust it`, {
    remedy: `look at it, move it away, and approve again with \`holdfast trust add\``,
    details: { path },
    ...(cause === undefined ? {} : { cause }),
  });
}

export function newerStore(path: string): HoldfastError {
  return new HoldfastError('HF_TRUST_INVALID', `${path} was written by a newer version of Holdfast`, {
    remedy: 'use that version, or move the file away and approve again with `holdfast trust add`',
    details: { path },
  });
}

const trustRemedies = {
  full: 'free some space; nothing was approved',
  denied: 'make it and its directory writable for you alone',
};

/** Returns the error for a failed write, with the path of `cause` if it has one. */
export function unwritable(path: string, cause: unknown, remedies = trustRemedies): HoldfastError {
  const { code, path: at = path } = cause as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new HoldfastError('HF_DISK_FULL', `${at} cannot be written: the disk is full`, { remedy: remedies.full, cause })
    : new HoldfastError('HF_STATE_UNWRITABLE', `${at} cannot be written: ${code ?? 'an unknown error'}`, {
        remedy: remedies.denied,
        cause,
      });
}
