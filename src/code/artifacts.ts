import { HoldfastError, isHoldfastError } from '../errors/index.ts';
import type { Files, ListedFile } from '../files/index.ts';
import { findFiles } from '../files/session/find-files.ts';
import { mimeType } from './mime-type.ts';

export interface CollectArtifactsOptions {
  /** Directory where the patterns start. Default: the start directory of commands. */
  readonly path?: string;
  /** Most bytes of one file. Default: 16 MiB. */
  readonly maxFileBytes?: number;
  /** Most bytes of all files together. Default: 64 MiB. */
  readonly maxBytes?: number;
  /** Default: 200. */
  readonly maxFiles?: number;
  readonly signal?: AbortSignal;
}

export interface Artifact {
  /** The path in the form that `sandbox.files` lists. */
  readonly path: string;
  /** Type, by the content if it is conclusive, otherwise by the name. */
  readonly mimeType: string;
  readonly data: Buffer;
}

/**
 * `too-large`: the file alone is too large. `no-room`: it is too large together with earlier ones. `no-file`: a
 * symlink, a directory, a device. `unreadable`: it was refused, or no longer exists.
 */
export type LeftOutReason = 'too-large' | 'no-room' | 'no-file' | 'unreadable';

export interface LeftOutArtifact {
  readonly path: string;
  readonly reason: LeftOutReason;
}

export interface CollectedArtifacts {
  readonly artifacts: readonly Artifact[];
  readonly leftOut: readonly LeftOutArtifact[];
  /**
   * `whole`: all names were searched. Otherwise more files may exist: beyond `maxFiles`, or in a tree that is too
   * large.
   */
  readonly searched: 'whole' | 'limit' | 'entries';
}

const mebibyte = 1024 * 1024;

/** Files that commands have made. They are read through the confined files worker. */
export class Artifacts {
  readonly #files: Pick<Files, 'list' | 'read'>;

  constructor(files: Pick<Files, 'list' | 'read'>) {
    this.#files = files;
  }

  /**
   * Reads the files that match the patterns, each once, without following symlinks. Reports files that are too large or
   * unreadable. Throws `HF_USAGE` for invalid patterns and limits, and the errors of `sandbox.files.list` for the
   * directory.
   *
   * @example
   * const { artifacts, leftOut } = await sandbox.artifacts.collect(['report/*.pdf', '*.csv']);
   * for (const { path, mimeType, data } of artifacts) console.log(path, mimeType, data.length);
   */
  async collect(patterns: readonly string[], options: CollectArtifactsOptions = {}): Promise<CollectedArtifacts> {
    const { path = '.', maxFileBytes = 16 * mebibyte, maxBytes = 64 * mebibyte, maxFiles = 200, signal } = options;
    if (![maxFileBytes, maxBytes, maxFiles].every((each) => each >= 0))
      throw new HoldfastError('HF_USAGE', `limits of ${maxFileBytes} and ${maxBytes} bytes and ${maxFiles} files`, {
        remedy: 'use numbers of 0 or more',
      });
    const found = new Map<string, ListedFile>();
    let searched: CollectedArtifacts['searched'] = 'whole';
    for (const pattern of patterns) {
      const each = await findFiles(this.#files, pattern, {
        path,
        limit: maxFiles,
        ...(signal === undefined ? {} : { signal }),
      });
      if (each.searched !== 'whole') searched = each.searched;
      for (const file of each.files) found.set(file.bytes.toString('latin1'), file);
    }
    const files = [...found.values()].slice(0, maxFiles);
    if (files.length < found.size) searched = 'limit';
    return {
      ...(await readArtifacts(this.#files, files, {
        maxFileBytes,
        maxBytes,
        ...(signal === undefined ? {} : { signal }),
      })),
      searched,
    };
  }
}

type Limits = Required<Pick<CollectArtifactsOptions, 'maxFileBytes' | 'maxBytes'>> &
  Pick<CollectArtifactsOptions, 'signal'>;

/** Reads the files that were found, within the default limits of `collect`. */
export async function readArtifacts(
  files: Pick<Files, 'read'>,
  found: readonly ListedFile[],
  { maxFileBytes, maxBytes, signal }: Limits = { maxFileBytes: 16 * mebibyte, maxBytes: 64 * mebibyte },
): Promise<Omit<CollectedArtifacts, 'searched'>> {
  const artifacts: Artifact[] = [];
  const leftOut: LeftOutArtifact[] = [];
  let room = maxBytes;
  for (const file of found) {
    signal?.throwIfAborted();
    const read = await readOne(files, file, { most: maxFileBytes, room });
    if (typeof read === 'string') {
      leftOut.push({ path: file.path, reason: read });
      continue;
    }
    room -= read.length;
    artifacts.push({ path: file.path, mimeType: mimeType(file.name, read), data: read });
  }
  return { artifacts, leftOut };
}

/**
 * Reads at most one byte more than fits, because a file may have grown. Attack: thousands of sparse files, each of
 * which would be read up to the limit.
 */
async function readOne(
  files: Pick<Files, 'read'>,
  { type, bytes, info }: ListedFile,
  { most, room }: { readonly most: number; readonly room: number },
): Promise<Buffer | LeftOutReason> {
  if (type !== 'file') return 'no-file';
  if (info !== undefined && info.size > most) return 'too-large';
  try {
    const data = await files.read(bytes, { length: Math.min(most, room) + 1 });
    if (data.length <= Math.min(most, room)) return data;
    return data.length > most ? 'too-large' : 'no-room';
  } catch (error) {
    if (isHoldfastError(error)) throw error;
    return 'unreadable';
  }
}
