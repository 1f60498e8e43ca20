import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { kernelCall, openDirectory } from '../../kernel/index.ts';

/** Where the checkpoints of one workspace lie. */
export interface Store {
  readonly directory: string;
  /** Contents by their SHA-256: `ab/cdef…`. */
  readonly objects: string;
  readonly manifests: string;
  /** There while objects are being written or removed: whoever finds it after a kill removes what nothing refers to. */
  readonly marker: string;
  /** There while a restore is going on. */
  readonly journal: string;
  /** Bytes of all objects, as text. */
  readonly usage: string;
  /** Real path. */
  readonly workspace: string;
}

export function openStore(checkpoints: string, workspace: string): Store {
  const directory = join(checkpoints, createHash('sha256').update(workspace).digest('hex').slice(0, 32));
  mkdirSync(join(directory, 'objects'), { recursive: true, mode: 0o700 });
  mkdirSync(join(directory, 'manifests'), { recursive: true, mode: 0o700 });
  const inside = (name: string): string => join(directory, name);
  return {
    directory,
    objects: inside('objects'),
    manifests: inside('manifests'),
    marker: inside('unfinished'),
    journal: inside('restoring.json'),
    usage: inside('usage'),
    workspace,
  };
}

/** Writes a file so that it is whole under its name or not there, after a power failure as well. */
export function writeDurably(path: string, content: string): void {
  const fresh = `${path}.new`;
  const file = openSync(fresh, 'w', 0o600);
  try {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
  syncDirectory(join(path, '..'));
}

export function removeDurably(path: string): void {
  rmSync(path, { force: true });
  syncDirectory(join(path, '..'));
}

function syncDirectory(path: string): void {
  const directory = openDirectory(path);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/**
 * Waits until everything that was written to the file system of a directory is on the disk. One call for thousands of
 * files.
 */
export function syncFileSystem(path: string): void {
  const directory = openDirectory(path);
  try {
    kernelCall('syncfs', directory);
  } finally {
    closeSync(directory);
  }
}
