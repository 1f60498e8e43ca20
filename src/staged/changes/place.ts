import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { isKernelError, oPath, openAt, resolve } from '../../kernel/index.ts';

/**
 * An open directory. Work through this descriptor stays in the directory, even if a box changes the names on the way.
 */
export type DirectoryDescriptor = number;

/** Throws like `node:fs`. A symlink is `ENOTDIR`. */
export function openPlace(path: Buffer | string): DirectoryDescriptor {
  return openSync(path, oPath | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

/** Returns the path of an entry of an open directory. */
export function entryPath(place: DirectoryDescriptor, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${place}/`), name]);
}

/** Runs `use` with an entry opened as a directory. Undefined if it is gone or no longer a directory. */
export function insidePlace<T>(
  place: DirectoryDescriptor,
  name: Buffer,
  use: (inside: DirectoryDescriptor) => T,
): T | undefined {
  const inside = openInside(place, name);
  if (inside === undefined) return undefined;
  try {
    return use(inside);
  } finally {
    closeSync(inside);
  }
}

/** Returns the names in a directory, in the order of their bytes. */
export function entryNames(place: DirectoryDescriptor): readonly Buffer[] {
  return readdirSync(`/proc/self/fd/${place}/.`, { encoding: 'buffer' }).toSorted(Buffer.compare);
}

/** Returns the stats of the entry itself, never of a symlink's target. Undefined for a missing entry. */
export function statsOf(place: DirectoryDescriptor, name: Buffer): BigIntStats | undefined {
  return lstatSync(entryPath(place, name), { bigint: true, throwIfNoEntry: false });
}

/** Returns the stats of the directory itself. */
export function ownStats(place: DirectoryDescriptor): BigIntStats {
  return fstatSync(place, { bigint: true });
}

function openInside(place: DirectoryDescriptor, name: Buffer): DirectoryDescriptor | undefined {
  try {
    return openPlace(entryPath(place, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}

/**
 * Opens a regular file without blocking on a FIFO or following a symlink in its place. Undefined for other entries, and
 * unreadable files.
 */
export function withFile<T>(path: Buffer, use: (file: number) => T): T | undefined {
  return withOpened(() => openSync(path, flags), use);
}

/** Opens a path of several components below an open directory. None may be a symlink. */
export function withFileBeneath<T>(root: DirectoryDescriptor, path: Buffer, use: (file: number) => T): T | undefined {
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
