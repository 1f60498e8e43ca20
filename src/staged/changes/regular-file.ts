import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { isKernelError, openAt, resolve } from '../../kernel/index.ts';
import type { Place } from './place.ts';

/**
 * Opens a regular file without being held up by a FIFO or led away by a symlink that took its place. Undefined when it
 * is none, or cannot be read.
 */
export function withFile<T>(path: Buffer, use: (file: number) => T): T | undefined {
  return withOpened(() => openSync(path, flags), use);
}

/** The same for a path of several names below an open directory: none of them may be a symlink. */
export function withFileBeneath<T>(root: Place, path: Buffer, use: (file: number) => T): T | undefined {
  return withOpened(() => openAt(root, path, { flags, resolve: resolve.beneath | resolve.noSymlinks }), use);
}

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const expected: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'ELOOP',
  'ENXIO',
  'EXDEV',
  'ENODEV',
]);

function withOpened<T>(open: () => number, use: (file: number) => T): T | undefined {
  let file: number;
  try {
    file = open();
  } catch (error) {
    if (expected.has(isKernelError(error) ? error.code : (error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
  try {
    return fstatSync(file).isFile() ? use(file) : undefined;
  } finally {
    closeSync(file);
  }
}
