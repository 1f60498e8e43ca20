import { closeSync } from 'node:fs';
import { isKernelError } from './kernel-error.ts';
import { kernelCall } from './kernel-call.ts';
import { openDirectory } from './tree/copy-tree.ts';

/**
 * Runs `use` while no other process holds the lock of a directory. The kernel releases the lock with the process.
 * Throws the error of `busy` if another process has held it for ten seconds, and errors of `node:fs` if the directory
 * cannot be opened.
 */
export function withDirectoryLock<T>(path: string, use: () => T, busy: () => Error): T {
  const directory = openDirectory(path);
  try {
    take(directory, busy);
    return use();
  } finally {
    closeSync(directory);
  }
}

/** Milliseconds. */
const patience = 10_000;
const pause = 20;
/** `sys/file.h`: exclusive, without waiting. */
const exclusively = 2 | 4;

function take(directory: number, busy: () => Error): void {
  for (const until = performance.now() + patience; ; ) {
    try {
      kernelCall('flock', directory, exclusively);
      return;
    } catch (error) {
      if (!isKernelError(error, 'EAGAIN')) throw error;
    }
    if (performance.now() > until) throw busy();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  }
}
