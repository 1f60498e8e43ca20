import { appendEvents } from '../../audit/index.ts';
import { pathText } from '../../kernel/index.ts';
import type { Trash } from '../trash.ts';

export interface PutBack {
  readonly id: string;
  /** Default: the former path. */
  readonly to?: Buffer;
}

/** Restores an entry and returns its new path. */
export function restoreJournalled(trash: Trash, journal: string, what: PutBack): Buffer {
  const workspace = trash.list().find(({ id }) => id === what.id)?.workspace ?? '';
  const path = trash.restore(what);
  appendEvents(journal, [{ type: 'trash.restore', workspace, entry: what.id, path: pathText(path) }]);
  return path;
}

/** Removes entries from before `before` for good. Default: all. */
export function purgeJournalled(trash: Trash, journal: string, before?: number): ReturnType<Trash['purge']> {
  const gone = trash.purge(before);
  if (gone.length > 0)
    appendEvents(journal, [
      { type: 'trash.purge', entries: gone.map(({ id }) => id), bytes: gone.reduce((sum, { size }) => sum + size, 0) },
    ]);
  return gone;
}
