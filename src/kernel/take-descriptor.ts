import { closeSync } from 'node:fs';
import { kernelCall } from './kernel-call.ts';

/**
 * Returns a copy of another process's descriptor. Throws `KernelError`: `EPERM` if this process may not inspect the
 * other one.
 */
export function takeDescriptor(pid: number, descriptor: number): number {
  const process = kernelCall('pidfd_open', pid, 0);
  try {
    return kernelCall('pidfd_getfd', process, descriptor, 0);
  } finally {
    closeSync(process);
  }
}
