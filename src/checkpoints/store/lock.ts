import { closeSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';
import { isKernelError, kernelCall, openDirectory } from '../../kernel/index.ts';
import type { Store } from './store.ts';

/** Runs `use` while no other process uses the checkpoints of this workspace. The kernel ends it with the process. */
export function locked<T>(store: Store, use: () => T): T {
  const directory = openDirectory(store.directory);
  try {
    take(directory, store, performance.now() + patience);
    return use();
  } finally {
    closeSync(directory);
  }
}

/** Milliseconds. */
const patience = 10_000;
const pause = 20;
/** `sys/file.h`: exclusive, and not waiting. */
const exclusively = 2 | 4;

function take(directory: number, { workspace }: Store, until: number): void {
  for (;;) {
    try {
      kernelCall('flock', directory, exclusively);
      return;
    } catch (error) {
      if (!isKernelError(error, 'EAGAIN')) throw error;
    }
    if (performance.now() > until) throw new HoldfastError('HF_CHECKPOINT_FAILED', `another process is working on the checkpoints of ${JSON.stringify(workspace)}`, { remedy: 'wait until it has ended' });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  }
}
