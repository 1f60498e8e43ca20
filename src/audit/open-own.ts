import { closeSync, constants, fstatSync, fsyncSync, openSync, rmSync, type Stats, writeSync } from 'node:fs';
import process from 'node:process';
import { unusable } from './failure.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;

/**
 * Purpose of opening a file of the journal. For `read`, root may open anyone's file. A file to rely on must belong to
 * this user.
 */
export type Purpose = keyof typeof flags;

const flags = {
  read: O_RDONLY,
  rely: O_RDONLY,
  append: O_RDWR | O_APPEND | O_CREAT,
  change: O_RDWR,
  create: O_RDWR | O_CREAT | O_EXCL,
} as const;

export interface OpenedOwnFile {
  readonly fd: number;
  readonly stats: Stats;
}

/**
 * Opens a regular file that belongs to this user. A link would redirect our writes, and a pipe would block forever.
 * Throws `HF_JOURNAL_FAILED` for anything else, and errors of the system otherwise.
 */
export function openOwn(path: string, purpose: Purpose): OpenedOwnFile {
  const fd = openNode(path, purpose);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw notRegular(path);
    if (stats.uid !== process.geteuid?.() && !(purpose === 'read' && process.geteuid?.() === 0))
      throw unusable(path, `it belongs to user ${stats.uid}`, 'move it away');
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Writes a file beside its target, over the leftovers of a crash. The caller must hold the lock. */
export function writeAside(path: string, bytes: Uint8Array): void {
  rmSync(path, { force: true });
  withOwn(path, 'create', ({ fd }) => {
    writeSync(fd, bytes);
    fsyncSync(fd);
  });
}

export function withOwn<Result>(path: string, purpose: Purpose, work: (file: OpenedOwnFile) => Result): Result {
  const file = openOwn(path, purpose);
  try {
    return work(file);
  } finally {
    closeSync(file.fd);
  }
}

const notFiles = ['ELOOP', 'EISDIR', 'ENXIO'];

function openNode(path: string, purpose: Purpose): number {
  try {
    return openSync(path, flags[purpose] | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    throw notFiles.includes((error as NodeJS.ErrnoException).code ?? '') ? notRegular(path) : error;
  }
}

function notRegular(path: string): Error {
  return unusable(path, 'it is a link, a directory or another thing that is not a regular file', 'move it away');
}
