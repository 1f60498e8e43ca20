import { kernelCall } from './kernel-call.ts';
import { terminated } from './open-at.ts';

/** `linux/fs.h`: flags of `renameat2`. */
export const noReplace = 1;
export const exchange = 2;

/** A name in an open directory. Bytes for names that are no UTF-8. */
export interface Place {
  readonly directory: number;
  readonly name: string | Uint8Array;
}

/** `renameat2(2)`; `flags` 0 replaces atomically. Throws `KernelError`. */
export function renameAt(from: Place, to: Place, flags = 0): void {
  kernelCall('renameat2', from.directory, terminated(from.name), to.directory, terminated(to.name), flags);
}

/** `linkat(2)` without following a symlink at its end. Throws `KernelError`. */
export function linkAt(from: Place, to: Place): void {
  kernelCall('linkat', from.directory, terminated(from.name), to.directory, terminated(to.name), 0);
}
