import type { ImageSource } from './manifest.ts';

/** Where a kernel and its modules come from. */
export interface KernelSource {
  readonly origin: ImageSource;
  /** As `uname -r` says it. */
  readonly version: string;
  /** The bzImage. */
  readonly kernel: Buffer;
  /** Names of modules that need no file, with `_` for `-`. */
  readonly builtIn: ReadonlySet<string>;
  /** The files of those modules that it has, decompressed, by name. */
  readonly read: (names: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;
}

/** Bytes. Kernels have 8 to 15 MB, modules of those that are read here at most 1 MB. */
export const largestKernel = 64 << 20;
export const largestModule = 16 << 20;
