import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { copyContent } from '../../kernel/index.ts';
import type { Store } from './manifest.ts';

/**
 * Reads contents and returns their SHA-256. `file` must be open for reading at its start; `size` is the expected size.
 */
export interface Contents {
  keep(file: number, size: number): Kept;
}

export interface Kept {
  readonly object: string;
  /** Number of bytes read. */
  readonly size: number;
}

/** Hashes contents without storing them. */
export const hashing: Contents = {
  keep(file, size) {
    if (size > small) return hashFile(file);
    const bytes = readSmall(file, size);
    return { object: hash('sha256', bytes), size: bytes.length };
  },
};

export interface StoreBudget {
  /** Bytes that may still be stored. */
  bytes: number;
}

/**
 * Stores new contents. Leftovers of a kill are unreferenced, and the next process that finds the store's marker removes
 * them. Throws `HF_QUOTA_EXCEEDED`.
 */
export function storing(store: Store, budget: StoreBudget): Contents {
  const made = new Set<string>();
  const keepSmall = (file: number, size: number): Kept => {
    const bytes = readSmall(file, size);
    const object = hash('sha256', bytes);
    const path = placeFor(store, object, made);
    if (writeNew(path, bytes) === 'new') spend(budget, bytes.length);
    return { object, size: bytes.length };
  };
  // Hashes the copy, so that the stored bytes match their name even if someone writes to the file meanwhile.
  const keepLarge = (file: number): Kept => {
    const { path, kept, allocated } = copyIn(store, file, budget);
    const place = placeFor(store, kept.object, made);
    if (existsSync(place)) return kept;
    renameSync(path, place);
    spend(budget, allocated);
    return kept;
  };
  return { keep: (file, size) => (size > small ? keepLarge(file) : keepSmall(file, size)) };
}

function objectPath({ objects }: Store, object: string): string {
  return join(objects, object.slice(0, 2), object.slice(2));
}

/** Returns the verified content. Throws `HF_CHECKPOINT_FAILED` if it is missing or changed. */
export function readObject(store: Store, object: string): Buffer {
  const bytes = readFileSync(objectPath(store, object));
  if (hash('sha256', bytes) !== object) throw damaged(object);
  return bytes;
}

/** Copies a content to a new file. Blocks are shared if the file system supports that. */
export function copyObject(store: Store, object: string, to: number): void {
  const file = openSync(objectPath(store, object), 'r');
  try {
    const { size } = fstatSync(file);
    if (size <= small) {
      const bytes = readSmall(file, size);
      if (hash('sha256', bytes) !== object) throw damaged(object);
      writeAll(to, bytes);
      return;
    }
    if (hashFile(file).object !== object) throw damaged(object);
    copyContent(file, to);
  } finally {
    closeSync(file);
  }
}

const small = 1 << 20;
const chunk = 1 << 20;
const block = 512;

function readSmall(file: number, size: number): Buffer {
  // Reads one byte more, to notice that the file has grown.
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read)
    read = readSync(file, buffer, length, buffer.length - length, null);
  return buffer.subarray(0, length);
}

function hashFile(file: number): Kept {
  const sum = createHash('sha256');
  const buffer = Buffer.allocUnsafe(chunk);
  for (let size = 0; ; ) {
    const length = readSync(file, buffer, 0, chunk, size);
    if (length === 0) return { object: sum.digest('hex'), size };
    sum.update(buffer.subarray(0, length));
    size += length;
  }
}

function placeFor(store: Store, object: string, made: Set<string>): string {
  const shard = object.slice(0, 2);
  if (!made.has(shard)) mkdirSync(join(store.objects, shard), { recursive: true, mode: 0o700 });
  made.add(shard);
  return objectPath(store, object);
}

function writeNew(path: string, bytes: Buffer): 'new' | 'known' {
  try {
    const file = openSync(path, 'wx', 0o600);
    try {
      writeAll(file, bytes);
    } finally {
      closeSync(file);
    }
    return 'new';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'known';
    throw error;
  }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function copyIn(
  store: Store,
  file: number,
  budget: StoreBudget,
): { readonly path: string; readonly kept: Kept; readonly allocated: number } {
  if (fstatSync(file).blocks * block > budget.bytes) throw overQuota();
  const path = join(store.objects, 'incoming');
  rmSync(path, { force: true });
  const copy = openSync(path, 'wx+', 0o600);
  try {
    copyContent(file, copy);
    return { path, kept: hashFile(copy), allocated: fstatSync(copy).blocks * block };
  } finally {
    closeSync(copy);
  }
}

function spend(budget: StoreBudget, bytes: number): void {
  budget.bytes -= bytes;
  if (budget.bytes < 0) throw overQuota();
}

function overQuota(): HoldfastError {
  return new HoldfastError('HF_QUOTA_EXCEEDED', 'the checkpoints of this workspace would take more than they may', {
    remedy: 'remove old ones with `holdfast checkpoint remove ID`',
  });
}

function damaged(object: string): HoldfastError {
  return new HoldfastError('HF_CHECKPOINT_FAILED', `the stored content ${object} is damaged`, {
    remedy: 'check the disk; the workspace was not changed',
  });
}
