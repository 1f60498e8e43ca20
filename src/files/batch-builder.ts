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
 * Collects operations, under their names in `Files`, for one call. Each method returns the operation's index in the
 * batch.
 */
export class BatchBuilder {
  readonly #operations: FileOperation[] = [];

  get operations(): readonly FileOperation[] {
    return this.#operations;
  }

  /** Writes at most 256 KiB. Use `Files` itself for more. */
  write(path: FilePath, data: string | Uint8Array, options: WriteOptions = {}): number {
    return this.#add(writeOperation(path, data, options));
  }

  append(path: FilePath, data: string | Uint8Array, options: Omit<WriteOptions, 'flag' | 'replace'> = {}): number {
    return this.#add(writeOperation(path, data, { ...options, flag: 'a' }));
  }

  /** Reads the first 256 KiB, as the outcome's `result.data`. */
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
  /** Parent directory. Default: the start directory of the sandbox's commands, so that they see the file too. */
  readonly directory?: FilePath;
  /** Text before the random part of the name. Default: `.tmp-`. */
  readonly prefix?: string;
  /** Text after the random part, such as an extension. Default: none. */
  readonly suffix?: string;
}

/** A file or directory with a unique name, for temporary use. */
export interface TemporaryPath {
  readonly path: string;
  /** The exact bytes of `path`. */
  readonly bytes: Buffer;
  /** Removes it with all its content. It may be gone already. */
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
