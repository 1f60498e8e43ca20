import { closeSync } from 'node:fs';
import { isKernelError, kernelCall, openDirectory } from '../kernel/index.ts';

/** `sys/file.h`: exclusive, and not waiting. */
const exclusively = 2 | 4;

/**
 * Runs `use` while this process alone works on an entry. The kernel lets go of it when the process ends, however it ends:
 * what is incomplete and not held is left over. Gives `busy` when somebody else holds it.
 */
export function holding<T>(directory: string, use: (directory: number) => T): { readonly kind: 'done'; readonly value: T } | { readonly kind: 'busy' } {
  const descriptor = openDirectory(directory);
  try {
    kernelCall('flock', descriptor, exclusively);
    return { kind: 'done', value: use(descriptor) };
  } catch (error) {
    if (isKernelError(error, 'EAGAIN') && error.syscall === 'flock') return { kind: 'busy' };
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
