import type { Desk } from './desk.ts';
import {
  copyOperation,
  type CopyOptions,
  linkOperation,
  makeDirOperation,
  type MakeDirOptions,
  modeOperation,
  ownerOperation,
  type OwnerOptions,
  removeOperation,
  type RemoveOptions,
  renameOperation,
  type RenameOptions,
  statOperation,
  symlinkOperation,
  timesOperation,
  type TimesOptions,
  truncateOperation,
  writeOperation,
  type WriteOptions,
} from './operations.ts';
import { type FileOperation, type FilePath, largestPayload } from './types.ts';

/**
 * Writes down operations under the names that they have in `Files`, to be run by one call. Each returns its place in
 * the batch.
 */
export class BatchBuilder {
  readonly #operations: FileOperation[] = [];

  get operations(): readonly FileOperation[] {
    return this.#operations;
  }

  /** At most 256 KiB: what is larger is written by itself. */
  write(path: FilePath, data: string | Uint8Array, options: WriteOptions = {}): number {
    return this.#add(writeOperation(path, data, options));
  }

  append(path: FilePath, data: string | Uint8Array, options: Omit<WriteOptions, 'flag' | 'replace'> = {}): number {
    return this.#add(writeOperation(path, data, { ...options, flag: 'a' }));
  }

  /** The first 256 KiB, as the outcome's `result.data`. */
  read(path: FilePath): number {
    return this.#add({ kind: 'read', path, offset: 0, length: largestPayload });
  }

  stat(path: FilePath): number {
    return this.#add(statOperation(path, 'follow'));
  }

  lstat(path: FilePath): number {
    return this.#add(statOperation(path, 'itself'));
  }

  makeDir(path: FilePath, options: MakeDirOptions = {}): number {
    return this.#add(makeDirOperation(path, options));
  }

  copy(from: FilePath, to: FilePath, options: CopyOptions = {}): number {
    return this.#add(copyOperation(from, to, options));
  }

  rename(from: FilePath, to: FilePath, options: RenameOptions = {}): number {
    return this.#add(renameOperation(from, to, options));
  }

  link(existing: FilePath, path: FilePath): number {
    return this.#add(linkOperation(existing, path));
  }

  symlink(text: FilePath, path: FilePath): number {
    return this.#add(symlinkOperation(text, path));
  }

  truncate(path: FilePath, length = 0): number {
    return this.#add(truncateOperation(path, length));
  }

  times(path: FilePath, options: TimesOptions): number {
    return this.#add(timesOperation(path, options));
  }

  owner(path: FilePath, options: OwnerOptions): number {
    return this.#add(ownerOperation(path, options));
  }

  mode(path: FilePath, mode: number): number {
    return this.#add(modeOperation(path, mode));
  }

  remove(path: FilePath, options: RemoveOptions = {}): number {
    return this.#add(removeOperation(path, options));
  }

  #add(operation: FileOperation): number {
    return this.#operations.push(operation) - 1;
  }
}

export interface TemporaryOptions {
  /** Where it is made. Default: where the sandbox's commands start, so that they see it too. */
  readonly directory?: FilePath;
  /** Before the random part of its name. Default `.tmp-`. */
  readonly prefix?: string;
  /** After it: an extension, say. Default none. */
  readonly suffix?: string;
}

/** A file or directory with a name of its own, for as long as it is needed. */
export interface TemporaryPath {
  readonly path: string;
  /** `path` as it is. */
  readonly bytes: Buffer;
  /** Removes it with all that is in it. It may be gone already. */
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface TemporaryRequest extends TemporaryOptions {
  readonly type: 'file' | 'directory';
  readonly directory: FilePath;
}

export async function makeTemporary(
  desk: Desk,
  { type, directory, prefix = '.tmp-', suffix = '' }: TemporaryRequest,
): Promise<TemporaryPath> {
  const made = await desk.one({ kind: 'temporary', type, directory, prefix, suffix });
  const bytes = Buffer.from(made.path);
  const remove = async (): Promise<void> =>
    void (await desk.one({ kind: 'remove', path: bytes, tree: 'whole', missing: 'ignore' }));
  return { path: bytes.toString(), bytes, remove, [Symbol.asyncDispose]: remove };
}
