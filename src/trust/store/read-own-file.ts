import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import process from 'node:process';
import { invalidFile } from './failure.ts';

/**
 * The bytes of a file that only this user can have written, or undefined where there is none. Throws `HF_TRUST_INVALID`
 * for a symlink, what is no regular file, what belongs to somebody else or may be written by others, and what is longer
 * than `longest`.
 */
export function readOwnFile(path: string, longest: number): Buffer | undefined {
  const fd = open(path);
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw invalidFile(path, 'is no regular file');
    checkOwner(path, stats);
    if (stats.size > longest)
      throw invalidFile(path, `has ${stats.size} bytes, more than anything that Holdfast writes there`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Whether there is such a directory, which then is this user's alone to write to. Throws as `readOwnFile` does. */
export function hasOwnDirectory(path: string): boolean {
  const stats = look(path);
  if (stats === undefined) return false;
  if (!stats.isDirectory()) throw invalidFile(path, 'is no directory');
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

/** A FIFO would hold us up, and a symlink lead to what another wrote. */
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
