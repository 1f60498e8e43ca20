import type { BigIntStats } from 'node:fs';
import { hostConflict, type Moment } from './conflict.ts';
import { factsOf } from './facts.ts';
import { joinPath, type Found } from './found.ts';
import { entryOf, insidePlace, namesIn, statsOf, type Place } from './place.ts';

/** Something of the host that the layer no longer has. */
export interface Lost {
  readonly path: Buffer;
  readonly name: Buffer;
  /** The host's directory that it lies in. */
  readonly place: Place;
  readonly stats: BigIntStats;
  /** When the layer lost it, or earlier. */
  readonly taken: Moment;
}

/** Reports an entry of the host and everything in it as deleted. */
export function deletedEntry(found: Found[], { path, name, place, stats, taken }: Lost): void {
  const conflict = hostConflict(stats, { taken, copiedUp: false });
  const deleted: Found = { kind: 'deleted', path, before: factsOf(stats, entryOf(place, name)), ...(conflict === undefined ? {} : { conflict }) };
  const at = found.push(deleted);
  if (!stats.isDirectory()) return;
  insidePlace(place, name, (inside) => {
    if (!isReadable(() => deletedContent(found, { path, place: inside, taken }))) found[at - 1] = { ...deleted, refusal: unreadable };
  });
}

/** The same for what lies in a directory, except for some names. */
export function deletedContent(found: Found[], { path, place, taken }: Pick<Lost, 'path' | 'place' | 'taken'>, kept: ReadonlySet<string> = new Set()): void {
  for (const name of namesIn(place)) {
    const stats = kept.has(name.toString('latin1')) ? undefined : statsOf(place, name);
    if (stats !== undefined) deletedEntry(found, { path: joinPath(path, name), name, place, stats, taken });
  }
}

export const unreadable = { rule: 'unreadable', reason: 'what lies in it cannot be read' };

/** False when a directory could not be opened for reading by this user. */
export function isReadable(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return false;
    throw error;
  }
}
