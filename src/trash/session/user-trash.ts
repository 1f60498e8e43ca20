import type { FilePath } from '../../files/index.ts';
import type { Trash, TrashEntry } from '../index.ts';
import type { Place } from '../../place/place.ts';
import { hostPaths } from '../../staged/session/layers.ts';
import type * as TrashWork from './trash-work.ts';

/**
 * What boxes deleted, overwrote or truncated under a `stage` rule. There is one trash for each user; each entry names
 * its workspace. It holds 2 GB and keeps things for 30 days, or what `limits.trash` and `limits.trash_age` say; the
 * oldest go first.
 */
export class UserTrash {
  readonly #place: Pick<Place, 'paths' | 'workspace'>;
  #trash: Promise<OpenTrash> | undefined;

  constructor(place: Pick<Place, 'paths' | 'workspace'>) {
    this.#place = place;
  }

  /**
   * Oldest first, of all workspaces.
   *
   * @example
   * const mine = (await sandbox.trash.list()).filter(({ workspace }) => workspace === sandbox.workspace);
   */
  async list(): Promise<readonly TrashEntry[]> {
    return (await this.#open()).trash.list();
  }

  /**
   * Puts an entry back with everything it had: where it was, or at `to`, which starts at the sandbox's `cwd` and leads
   * through no symlink. Gives the path it has now. Nothing is ever overwritten. Throws `HF_TRASH_FAILED` and
   * `HF_DISK_FULL`; the entry is then still there.
   *
   * @example
   * const path = await sandbox.trash.restore(id, { to: 'recovered.txt' });
   */
  async restore(id: string, { to }: { readonly to?: FilePath } = {}): Promise<Buffer> {
    const [place] = to === undefined ? [] : hostPaths(this.#place.workspace.cwd, [to]);
    const { trash, work } = await this.#open();
    return work.restoreJournalled(trash, this.#place.paths.journal, place === undefined ? { id } : { id, to: place });
  }

  /**
   * Removes for good what was kept before `before` (milliseconds since 1970), of all workspaces; everything by default.
   * Gives their IDs.
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
    const [{ Trash: Opened }, work] = await Promise.all([import('../index.ts'), import('./trash-work.ts')]);
    return { trash: new Opened({ directory: this.#place.paths.trash }), work };
  }
}

interface OpenTrash {
  readonly trash: Trash;
  readonly work: typeof TrashWork;
}
