import { HoldfastError } from '../../../errors/index.ts';
import type { ImageSource } from './manifest.ts';

export function imageError(message: string, remedy: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_IMAGE_FAILED', message, cause === undefined ? { remedy } : { remedy, cause });
}

/** Returns an error with advice if the disk is full, and any other error unchanged. */
export function diskError(error: unknown, directory: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT' ? diskFull(directory, error) : error;
}

export function diskFull(directory: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_DISK_FULL', `there is no space for an image of the guest in ${directory}`, {
    remedy: 'make about 200 MB free and run `holdfast microvm build` again',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A source of a kernel and its modules. */
export interface KernelSource {
  readonly origin: ImageSource;
  /** Version, as in `uname -r`. */
  readonly version: string;
  /** The bzImage. */
  readonly kernel: Buffer;
  /** Names of modules that are built in and need no file, with `_` instead of `-`. */
  readonly builtIn: ReadonlySet<string>;
  /** Returns the files of these modules, decompressed, by name. Leaves out modules that the source lacks. */
  readonly read: (names: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;
}

/** Most bytes. Kernels have 8 to 15 MB, and the modules that are read here have at most 1 MB. */
export const largestKernel = 64 << 20;
export const largestModule = 16 << 20;
