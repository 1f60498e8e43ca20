import { HoldfastError } from '../../errors/index.ts';
import { withDirectoryLock } from '../../kernel/index.ts';
import type { Store } from './store.ts';

/** Runs `use` while no other process uses the checkpoints of this workspace. The kernel ends it with the process. */
export function locked<T>({ directory, workspace }: Store, use: () => T): T {
  return withDirectoryLock(directory, use, () => new HoldfastError('HF_CHECKPOINT_FAILED', `another process is working on the checkpoints of ${JSON.stringify(workspace)}`, { remedy: 'wait until it has ended' }));
}
