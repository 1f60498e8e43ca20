import { closeSync, constants, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import { atFdcwd, openAt, resolve, withDirectoryLock } from '../kernel/index.ts';
import { createUnlocked, type Creating, discardUnlocked, look } from './create.ts';
import { type PendingRestore, readPending } from './restore/journal.ts';
import { latin1Bytes } from './restore/prepare.ts';
import { type Restored, restoreUnlocked } from './restore/restore.ts';
import { openStore, readCheckpoint, type Store, summaries } from './store/manifest.ts';
import { hashing, readObject } from './store/objects.ts';
import {
  type Checkpoint,
  checkpointError,
  type CheckpointSummary,
  compare,
  type Difference,
  type StoredFile,
  worthShowing,
} from './types.ts';

export interface CheckpointOptions {
  /**
   * Absolute path of the checkpoints of all workspaces. The directory above it is Holdfast's state and stays unchanged.
   */
  readonly directory: string;
  /** Real path. */
  readonly workspace: string;
  /** Most bytes of the contents of all checkpoints of the workspace. Default: 20,000,000,000. */
  readonly bytes?: number;
  /** Checkpoints made before a restore that are kept. Default: 10. */
  readonly automatic?: number;
  /** Called for every examined entry, with the number so far. */
  readonly onEntry?: (entries: number) => void;
}

/**
 * The checkpoints of one workspace. Every method is synchronous, and holds a lock that other processes wait for. Throws
 * `HF_CHECKPOINT_FAILED`, `HF_WORKSPACE_MISSING`, `HF_DISK_FULL` and `HF_QUOTA_EXCEEDED`.
 */
export class Checkpoints {
  readonly #options: Required<CheckpointOptions>;

  constructor({
    directory,
    workspace,
    bytes = defaultBytes,
    automatic = defaultAutomatic,
    onEntry = () => undefined,
  }: CheckpointOptions) {
    this.#options = { directory, workspace, bytes, automatic, onEntry };
  }

  /** Saves the current state of the workspace. */
  create(name = ''): Checkpoint {
    if (name.length > longestName)
      throw new HoldfastError('HF_USAGE', `the name has more than ${longestName} characters`, {
        remedy: 'choose a shorter one',
      });
    return this.#use((creating) => createUnlocked(creating, { name, origin: 'user' }));
  }

  /** Lists checkpoints, oldest first. */
  list(): readonly CheckpointSummary[] {
    return this.#use(({ store }) => summaries(store));
  }

  /** Compares the workspace with a checkpoint, or two checkpoints. */
  diff(id: string, other?: string): Comparison {
    return this.#use((creating) => comparison(creating, id, other));
  }

  /** Restores the workspace. First saves its current state as a checkpoint, whose ID is in `undo`. */
  restore(id: string): Restored {
    return this.#use((creating) => restoreUnlocked(creating, id));
  }

  remove(id: string): void {
    this.#use(({ store }) => {
      if (readPending(store)?.undo === id)
        throw new HoldfastError('HF_CHECKPOINT_FAILED', `${id} undoes a restore that has not been finished`, {
          remedy: `finish it first: holdfast checkpoint restore ${readPending(store)?.checkpoint}`,
        });
      discardUnlocked(store, id);
    });
  }

  /** Returns a killed restore. Restoring its checkpoint finishes it. */
  pending(): PendingRestore | undefined {
    return this.#use(({ store }) => readPending(store));
  }

  #use<T>(work: (creating: Creating) => T): T {
    const { directory, workspace, bytes, automatic, onEntry } = this.#options;
    const root = openWorkspace(workspace);
    try {
      const store = openStore(directory, workspace);
      return locked(store, () =>
        work({ store, root, bytes, automatic, onEntry, own: [directory, dirname(directory)] }),
      );
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
    return openAt(atFdcwd, workspace, {
      flags: constants.O_RDONLY | constants.O_DIRECTORY,
      resolve: resolve.noSymlinks | resolve.noMagicLinks,
    });
  } catch (cause) {
    throw new HoldfastError('HF_WORKSPACE_MISSING', `the workspace ${JSON.stringify(workspace)} cannot be opened`, {
      remedy: 'name an existing directory by its real path',
      cause,
    });
  }
}

/**
 * Runs `use` while no other process uses the checkpoints of this workspace. The kernel releases the lock with the
 * process.
 */
function locked<T>({ directory, workspace }: Store, use: () => T): T {
  return withDirectoryLock(
    directory,
    use,
    () =>
      new HoldfastError(
        'HF_CHECKPOINT_FAILED',
        `another process is working on the checkpoints of ${JSON.stringify(workspace)}`,
        { remedy: 'wait until it has ended' },
      ),
  );
}

/** A difference, with the contents of its files if they are requested and small enough. */
export interface ShownDifference extends Difference {
  readonly contents?: { readonly before: Buffer | undefined; readonly after: Buffer | undefined };
}

export interface Comparison {
  readonly differences: readonly ShownDifference[];
}

/** Bytes of a file that is shown line by line, and of all such files together. */
const largestShown = 256 * 1024;
const largestTogether = 16 << 20;

function comparison(creating: Creating, id: string, other: string | undefined): Comparison {
  const { store, root } = creating;
  const before = readCheckpoint(store, id);
  const after = other === undefined ? look(creating, hashing) : readCheckpoint(store, other);
  const stored = ({ object }: StoredFile): Buffer => readObject(store, object);
  const present = other === undefined ? ({ path }: StoredFile): Buffer | undefined => readPresent(root, path) : stored;
  let left = largestTogether;
  const differences = compare(before.entries, after.entries)
    .filter(worthShowing)
    .map((difference): ShownDifference => {
      const [was, is] = [fileOf(difference.before), fileOf(difference.after)];
      const size = (was?.size ?? 0) + (is?.size ?? 0);
      if ((was === undefined && is === undefined) || was?.object === is?.object || size > largestShown || size > left)
        return difference;
      left -= size;
      return {
        ...difference,
        contents: {
          before: was === undefined ? undefined : stored(was),
          after: is === undefined ? undefined : present(is),
        },
      };
    });
  return { differences };
}

function fileOf(entry: Difference['before']): StoredFile | undefined {
  return entry?.kind === 'file' ? entry : undefined;
}

/** Undefined if the file is gone, or is not a regular file any more. */
function readPresent(root: number, path: string): Buffer | undefined {
  try {
    const file = openAt(root, latin1Bytes(path), {
      flags: constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW,
      resolve: resolve.beneath | resolve.noSymlinks,
    });
    try {
      return readFileSync(file).subarray(0, largestShown);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
