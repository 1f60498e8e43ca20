import { closeSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import { atFdcwd, openAt, resolve } from '../kernel/index.ts';
import { createUnlocked, type Creating, discardUnlocked } from './create.ts';
import { type Comparison, comparison } from './diff.ts';
import { checkpointError } from './failure.ts';
import { type PendingRestore, readPending } from './restore/journal.ts';
import { type Restored, restoreUnlocked } from './restore/restore.ts';
import { locked } from './store/lock.ts';
import { summaries } from './store/manifest.ts';
import { openStore } from './store/store.ts';
import type { Checkpoint, CheckpointSummary } from './types.ts';

export interface CheckpointOptions {
  /** Absolute; the checkpoints of all workspaces lie in it. The directory above it is Holdfast's state and is left alone. */
  readonly directory: string;
  /** Real path. */
  readonly workspace: string;
  /** Most bytes that the contents of all checkpoints of the workspace may have. Default 20,000,000,000. */
  readonly bytes?: number;
  /** How many checkpoints that were made before a restore are kept. Default 10. */
  readonly automatic?: number;
  /** Told of every entry that was looked at: how many there are so far. */
  readonly onEntry?: (entries: number) => void;
}

/**
 * The checkpoints of one workspace. Every method is synchronous, holds a lock that other processes wait for, and throws
 * `HF_CHECKPOINT_FAILED`, `HF_WORKSPACE_MISSING`, `HF_DISK_FULL` or `HF_QUOTA_EXCEEDED`.
 */
export class Checkpoints {
  readonly #options: Required<CheckpointOptions>;

  constructor({ directory, workspace, bytes = defaultBytes, automatic = defaultAutomatic, onEntry = () => undefined }: CheckpointOptions) {
    this.#options = { directory, workspace, bytes, automatic, onEntry };
  }

  /** Keeps the workspace as it is now. */
  create(name = ''): Checkpoint {
    if (name.length > longestName) throw new HoldfastError('HF_USAGE', `the name has more than ${longestName} characters`, { remedy: 'choose a shorter one' });
    return this.#use((creating) => createUnlocked(creating, { name, origin: 'user' }));
  }

  /** Oldest first. */
  list(): readonly CheckpointSummary[] {
    return this.#use(({ store }) => summaries(store));
  }

  /** What has changed since the checkpoint, or between two. */
  diff(id: string, other?: string): Comparison {
    return this.#use((creating) => comparison(creating, id, other));
  }

  /** Makes the workspace what it was. What it is now becomes a checkpoint first, whose ID is in `undo`. */
  restore(id: string): Restored {
    return this.#use((creating) => restoreUnlocked(creating, id));
  }

  remove(id: string): void {
    this.#use(({ store }) => {
      if (readPending(store)?.undo === id) throw new HoldfastError('HF_CHECKPOINT_FAILED', `${id} undoes a restore that has not been finished`, { remedy: `finish it first: holdfast checkpoint restore ${readPending(store)?.checkpoint}` });
      discardUnlocked(store, id);
    });
  }

  /** A restore that was killed; `restore` with its checkpoint finishes it. */
  pending(): PendingRestore | undefined {
    return this.#use(({ store }) => readPending(store));
  }

  #use<T>(work: (creating: Creating) => T): T {
    const { directory, workspace, bytes, automatic, onEntry } = this.#options;
    const root = openWorkspace(workspace);
    try {
      const store = openStore(directory, workspace);
      return locked(store, () => work({ store, root, bytes, automatic, onEntry, own: [directory, dirname(directory)] }));
    } catch (error) {
      throw checkpointError(`the checkpoints of ${JSON.stringify(workspace)} cannot be used`, error);
    } finally {
      closeSync(root);
    }
  }
}

const defaultBytes = 20e9;
const defaultAutomatic = 10;
const longestName = 200;

function openWorkspace(workspace: string): number {
  try {
    return openAt(atFdcwd, workspace, { flags: constants.O_RDONLY | constants.O_DIRECTORY, resolve: resolve.noSymlinks | resolve.noMagicLinks });
  } catch (cause) {
    throw new HoldfastError('HF_WORKSPACE_MISSING', `the workspace ${JSON.stringify(workspace)} cannot be opened`, { remedy: 'name an existing directory by its real path', cause });
  }
}
