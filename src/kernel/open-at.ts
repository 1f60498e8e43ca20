import { kernelCall } from './kernel-call.ts';
import { isKernelError } from './kernel-error.ts';

/** `fcntl.h`: a relative path starts at the working directory. */
export const atFdcwd = -100;

/** `fcntl.h` of x86-64 and arm64: a descriptor that only refers to a path. */
export const oPath = 0o10000000;

/** `openat2(2)`, `linux/openat2.h`: links and mounts that the kernel refuses to pass. Kernel 5.6. */
export const resolve = {
  noMountCrossing: 0x01,
  noMagicLinks: 0x02,
  noSymlinks: 0x04,
  beneath: 0x08,
  inRoot: 0x10,
} as const;

export interface OpenHow {
  readonly flags: number;
  /** Used only with `O_CREAT` or `O_TMPFILE`. Default: 0. */
  readonly mode?: number;
  /** Bits of `resolve`. Default: 0. */
  readonly resolve?: number;
}

/**
 * Returns a new descriptor with close-on-exec. Throws `KernelError`, with `EXDEV` or `ELOOP` if `resolve` refuses the
 * path.
 */
export function openAt(directory: number, path: string | Uint8Array, how: OpenHow): number {
  const structure = Buffer.alloc(24);
  structure.writeBigUInt64LE(BigInt(how.flags | closeOnExec), 0);
  structure.writeBigUInt64LE(BigInt(how.mode ?? 0), 8);
  structure.writeBigUInt64LE(BigInt(how.resolve ?? 0), 16);
  for (let tries = 1; ; tries += 1) {
    try {
      return kernelCall('openat2', directory, terminated(path), structure, structure.length);
    } catch (error) {
      if (!isKernelError(error, 'EAGAIN') || tries === mostTries || (how.resolve ?? 0) === 0) throw error;
    }
  }
}

/**
 * The kernel gives up on `..` if any file on the machine is renamed meanwhile, and expects a retry: `openat2(2)`,
 * `EAGAIN`.
 */
const mostTries = 1000;

const closeOnExec = 0o2000000;

/** A path as bytes that end with NUL. */
export function terminated(path: string | Uint8Array): string | Uint8Array {
  return typeof path === 'string' ? path : Buffer.concat([path, Buffer.alloc(1)]);
}

/** `linux/fs.h`: flags of `renameat2`. */
export const noReplace = 1;
export const exchangeNames = 2;

/** A name in an open directory. Bytes for names that are not UTF-8. */
export interface NameAt {
  readonly directory: number;
  readonly name: string | Uint8Array;
}

/** `renameat2(2)`; `flags` 0 replaces atomically. Throws `KernelError`. */
export function renameAt(from: NameAt, to: NameAt, flags = 0): void {
  kernelCall('renameat2', from.directory, terminated(from.name), to.directory, terminated(to.name), flags);
}

/** `linkat(2)` without following a symlink at its end. Throws `KernelError`. */
export function linkAt(from: NameAt, to: NameAt): void {
  kernelCall('linkat', from.directory, terminated(from.name), to.directory, terminated(to.name), 0);
}
