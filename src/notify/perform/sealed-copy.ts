import { closeSync, copyFileSync, fstatSync, openSync } from 'node:fs';
import { kernelCall, KernelError } from '../../kernel/index.ts';

/** Bytes; what is larger has to be granted instead. The copy lives in memory. */
const largest = 256 * 1024 * 1024;
const allowSealing = 2;
const addSeals = 1033;
/** `F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE`. */
const everySeal = 0xf;
const tooLarge = 27;

/**
 * A copy of a file that can be read and nothing else. The file itself must not be handed into a box that may only read
 * it: by
 * `/proc/self/fd` it would be opened again for writing, on a mount that is not the box's.
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
