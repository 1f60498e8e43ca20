import type { Checkpoint, Checkpoints, CheckpointSummary, Comparison, PendingRestore, Restored } from '../checkpoints/index.ts';
import type { Place } from './place.ts';

/**
 * The checkpoints of a sandbox's workspace on the host, also of a staged one. All of them work in this process, which does
 * nothing else meanwhile. All throw `HF_CHECKPOINT_FAILED`, `HF_WORKSPACE_MISSING`, `HF_DISK_FULL` and
 * `HF_QUOTA_EXCEEDED` (20 GB of contents for each workspace).
 */
export class WorkspaceCheckpoints {
  readonly #place: Pick<Place, 'paths' | 'workspace'>;
  #checkpoints: Promise<Checkpoints> | undefined;

  constructor(place: Pick<Place, 'paths' | 'workspace'>) {
    this.#place = place;
  }

  /**
   * Keeps the workspace as it is now: every file, also `.git` and ignored ones. A name has at most 200 characters (`HF_USAGE`).
   *
   * @example
   * const { summary } = await sandbox.checkpoints.create('before refactoring');
   */
  async create(name = ''): Promise<Checkpoint> {
    return (await this.#open()).create(name);
  }

  /**
   * Oldest first.
   *
   * @example
   * for (const { id, name, created } of await sandbox.checkpoints.list()) console.log(id, name, new Date(created));
   */
  async list(): Promise<readonly CheckpointSummary[]> {
    return (await this.#open()).list();
  }

  /**
   * What has changed since a checkpoint, or between two. Paths are bytes as Latin-1 text.
   *
   * @example
   * const { differences } = await sandbox.checkpoints.diff(id);
   */
  async diff(id: string, other?: string): Promise<Comparison> {
    return (await this.#open()).diff(id, other);
  }

  /**
   * Makes the workspace what it was. What it is now becomes a checkpoint first, whose ID is `undo`; the last ten of those are kept.
   *
   * @example
   * const { undo } = await sandbox.checkpoints.restore(id);
   */
  async restore(id: string): Promise<Restored> {
    return (await this.#open()).restore(id);
  }

  /**
   * Forgets a checkpoint, and the contents that no other one needs.
   *
   * @example
   * await sandbox.checkpoints.remove(id);
   */
  async remove(id: string): Promise<void> {
    (await this.#open()).remove(id);
  }

  /**
   * A restore that was killed, if there is one; `restore` with its `checkpoint` finishes it.
   *
   * @example
   * const unfinished = await sandbox.checkpoints.pending();
   * if (unfinished !== undefined) await sandbox.checkpoints.restore(unfinished.checkpoint);
   */
  async pending(): Promise<PendingRestore | undefined> {
    return (await this.#open()).pending();
  }

  #open(): Promise<Checkpoints> {
    const { paths, workspace } = this.#place;
    return (this.#checkpoints ??= import('../checkpoints/index.ts').then(({ Checkpoints: Opened }) => new Opened({ directory: paths.checkpoints, workspace: workspace.root })));
  }
}
