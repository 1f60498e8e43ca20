import type { Comparison } from '../checkpoints.ts';
import type { PendingRestore } from '../restore/journal.ts';
import type { Restored } from '../restore/restore.ts';
import type { Checkpoint, CheckpointSummary } from '../types.ts';
import type * as CheckpointWork from './checkpoint-work.ts';
import type { CheckpointGround } from './checkpoint-work.ts';
import type { Place } from '../../place/place.ts';

/**
 * The checkpoints of a sandbox's workspace on the host, also of a staged one. All methods work synchronously in this
 * process. All throw `HF_CHECKPOINT_FAILED`, `HF_WORKSPACE_MISSING`, `HF_DISK_FULL` and `HF_QUOTA_EXCEEDED` (20 GB of
 * contents for each workspace).
 */
export class WorkspaceCheckpoints {
  readonly #place: Pick<Place, 'paths' | 'workspace'>;
  #checkpoints: Promise<OpenCheckpoints> | undefined;

  constructor(place: Pick<Place, 'paths' | 'workspace'>) {
    this.#place = place;
  }

  /**
   * Saves the current state of the workspace: every file, including `.git` and ignored ones. A name has at most 200
   * characters (`HF_USAGE`).
   *
   * @example const { summary } = await sandbox.checkpoints.create('before refactoring');
   */
  async create(name = ''): Promise<Checkpoint> {
    const { ground, work } = await this.#open();
    return work.createJournalled(ground, name);
  }

  /**
   * Lists checkpoints, oldest first.
   *
   * @example
   * for (const { id, name, created } of await sandbox.checkpoints.list()) console.log(id, name, new Date(created));
   */
  async list(): Promise<readonly CheckpointSummary[]> {
    return (await this.#open()).ground.checkpoints.list();
  }

  /**
   * Compares the workspace with a checkpoint, or two checkpoints. Paths are bytes as Latin-1 text.
   *
   * @example
   * const { differences } = await sandbox.checkpoints.diff(id);
   */
  async diff(id: string, other?: string): Promise<Comparison> {
    return (await this.#open()).ground.checkpoints.diff(id, other);
  }

  /**
   * Restores the workspace. First saves its current state as a checkpoint, whose ID is `undo`. The last ten of those
   * are kept.
   *
   * @example
   * const { undo } = await sandbox.checkpoints.restore(id);
   */
  async restore(id: string): Promise<Restored> {
    const { ground, work } = await this.#open();
    return work.restoreCheckpoint(ground, id);
  }

  /**
   * Removes a checkpoint, and contents that no other one needs.
   *
   * @example
   * await sandbox.checkpoints.remove(id);
   */
  async remove(id: string): Promise<void> {
    const { ground, work } = await this.#open();
    work.removeCheckpoint(ground, id);
  }

  /**
   * Returns a killed restore, if there is one. `restore` with its `checkpoint` finishes it.
   *
   * @example
   * const unfinished = await sandbox.checkpoints.pending();
   * if (unfinished !== undefined) await sandbox.checkpoints.restore(unfinished.checkpoint);
   */
  async pending(): Promise<PendingRestore | undefined> {
    return (await this.#open()).ground.checkpoints.pending();
  }

  #open(): Promise<OpenCheckpoints> {
    return (this.#checkpoints ??= this.#load());
  }

  async #load(): Promise<OpenCheckpoints> {
    const { paths, workspace } = this.#place;
    const [{ Checkpoints: Opened }, work] = await Promise.all([
      import('../checkpoints.ts'),
      import('./checkpoint-work.ts'),
    ]);
    return {
      ground: {
        checkpoints: new Opened({ directory: paths.checkpoints, workspace: workspace.root }),
        journal: paths.journal,
        workspace: workspace.root,
      },
      work,
    };
  }
}

interface OpenCheckpoints {
  readonly ground: CheckpointGround;
  readonly work: typeof CheckpointWork;
}
