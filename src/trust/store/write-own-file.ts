import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasOwnDirectory } from './read-own-file.ts';

export interface OwnFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: 0o600 | 0o400;
}

/**
 * Puts a file in place all at once, and on the disk before it returns: after a crash there is the old one or the new
 * one. Who calls it holds the lock, so that one name for what is not finished is enough.
 */
export function writeOwnFile({ path, bytes, mode }: OwnFile): void {
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  try {
    write(fresh, bytes, mode);
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Made where it is missing. Throws `HF_TRUST_INVALID` for one that others may write to. */
export function makeOwnDirectory(path: string): void {
  if (hasOwnDirectory(path)) return;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  syncDirectory(dirname(path));
}

function write(path: string, bytes: Uint8Array, mode: number): void {
  const fd = openSync(path, 'wx', mode);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The name is on the disk when its directory is. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
