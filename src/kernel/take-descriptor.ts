import { closeSync } from 'node:fs';
import { kernelCall } from './kernel-call.ts';

/**
 * A copy of another process's descriptor. Throws `KernelError`: `EPERM` for a process that is not this one's to look
 * into.
 */
export function takeDescriptor(pid: number, descriptor: number): number {
  const process = kernelCall('pidfd_open', pid, 0);
  try {
    return kernelCall('pidfd_getfd', process, descriptor, 0);
  } finally {
    closeSync(process);
  }
}
