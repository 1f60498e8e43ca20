import type { FilePath } from '../../files/index.ts';
import type { TrashEntry } from '../entry-file.ts';
import type { Trash } from '../trash.ts';
import type { Place } from '../../place/place.ts';
import { hostPaths } from '../../staged/session/layers.ts';
import type * as TrashWork from './trash-work.ts';

/**
 * Files that boxes deleted, overwrote or truncated under a `stage` rule. Each user has one trash, and each entry names
 * its workspace. The trash holds 2 GB and keeps entries for 30 days, unless `limits.trash` and `limits.trash_age` say
 * otherwise. The oldest entries are removed first.
 */
export class UserTrash {
  readonly #place: Pick<Place, 'paths' | 'workspace'>;
  #trash: Promise<OpenTrash> | undefined;

  constructor(place: Pick<Place, 'paths' | 'workspace'>) {
    this.#place = place;
  }

  /**
   * Lists entries of all workspaces, oldest first.
   *
   * @example
   * const mine = (await sandbox.trash.list()).filter(({ workspace }) => workspace === sandbox.workspace);
   */
  async list(): Promise<readonly TrashEntry[]> {
    return (await this.#open()).trash.list();
  }

  /**
   * Restores an entry with all its metadata: to its former path, or to `to`, which starts at the sandbox's `cwd` and
   * leads through no symlink. Returns its new path. Never overwrites anything. Throws `HF_TRASH_FAILED` and
   * `HF_DISK_FULL`; the entry is then still there.
   *
   * @example const path = await sandbox.trash.restore(id, { to: 'recovered.txt' });
   */
  async restore(id: string, { to }: { readonly to?: FilePath } = {}): Promise<Buffer> {
    const [place] = to === undefined ? [] : hostPaths(this.#place.workspace.cwd, [to]);
    const { trash, work } = await this.#open();
    return work.restoreJournalled(trash, this.#place.paths.journal, place === undefined ? { id } : { id, to: place });
  }

  /**
   * Removes entries of all workspaces from before `before` (milliseconds since 1970) for good, and returns their IDs.
   * Default: all.
   *
   * @example
   * await sandbox.trash.purge(Date.now() - 7 * 24 * 3_600_000);
   */
  async purge(before?: number): Promise<readonly string[]> {
    const { trash, work } = await this.#open();
    return work.purgeJournalled(trash, this.#place.paths.journal, before).map(({ id }) => id);
  }

  #open(): Promise<OpenTrash> {
    return (this.#trash ??= this.#load());
  }

  async #load(): Promise<OpenTrash> {
    const [{ Trash: Opened }, work] = await Promise.all([import('../trash.ts'), import('./trash-work.ts')]);
    return { trash: new Opened({ directory: this.#place.paths.trash }), work };
  }
}

interface OpenTrash {
  readonly trash: Trash;
  readonly work: typeof TrashWork;
}
