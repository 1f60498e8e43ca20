import { closeSync, constants, openSync } from 'node:fs';
import { atFdcwd, oPath, openAt, resolve } from '../open-at.ts';

/**
 * Path of an entry of an open directory. Whatever is renamed or replaced above it meanwhile, it stays in that
 * directory.
 */
export function below(directory: number, name: Uint8Array | string): Buffer {
  return Buffer.concat([
    Buffer.from(`/proc/self/fd/${directory}/`),
    typeof name === 'string' ? Buffer.from(name) : name,
  ]);
}

/** Opens a directory for listing. Fails with `ELOOP` or `ENOTDIR` when the last component is a symlink. */
export function openDirectory(path: Uint8Array | string): number {
  return openSync(
    typeof path === 'string' ? path : Buffer.from(path),
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
}

/**
 * Runs `use` with the directory that a path lies in and its last name. Not one symlink is followed on the way: one that
 * was swapped in for a directory would have something else taken. Throws `KernelError`: `ELOOP` then.
 */
export function inParent<T>(path: Buffer, use: (directory: number, name: Buffer) => T): T {
  const slash = path.lastIndexOf('/');
  const parent = openAt(atFdcwd, slash <= 0 ? '/' : path.subarray(0, slash), {
    flags: oPath | constants.O_DIRECTORY,
    resolve: resolve.noSymlinks | resolve.noMagicLinks,
  });
  try {
    return use(parent, path.subarray(slash + 1));
  } finally {
    closeSync(parent);
  }
}

/** Runs `use` for each name in a directory that is open while it does. */
export function withDirectory<T>(path: Uint8Array | string, use: (directory: number) => T): T {
  const directory = openDirectory(path);
  try {
    return use(directory);
  } finally {
    closeSync(directory);
  }
}
