import type { Desk } from './desk.ts';
import type { FilePath } from './types.ts';

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

export interface TemporaryRequest extends TemporaryOptions {
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
