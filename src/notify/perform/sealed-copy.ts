import { closeSync, copyFileSync, fstatSync, openSync } from 'node:fs';
import { kernelCall, KernelError } from '../../kernel/index.ts';

/** Bytes. A larger file needs a grant instead, because the copy is in memory. */
const largest = 256 * 1024 * 1024;
const allowSealing = 2;
const addSeals = 1033;
/** `F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE`. */
const everySeal = 0xf;
const tooLarge = 27;

/**
 * Returns a read-only, sealed copy of a file. A box that may only read the file must not get the file's own descriptor.
 * Through `/proc/self/fd` the box could reopen it for writing, on a mount that is not the box's.
 */
export function sealedCopy(file: number): number {
  if (fstatSync(file).size > largest) throw new KernelError('open', tooLarge);
  const memory = kernelCall('memfd_create', 'approved', 1 | allowSealing);
  copyFileSync(`/proc/self/fd/${file}`, `/proc/self/fd/${memory}`);
  kernelCall('fcntl', memory, addSeals, everySeal);
  const descriptor = openSync(`/proc/self/fd/${memory}`, 'r');
  closeSync(memory);
  return descriptor;
}
