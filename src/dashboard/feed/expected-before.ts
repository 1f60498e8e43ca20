import { statSync } from 'node:fs';
import { journalEntries } from '../../audit/index.ts';
import type { PlacedEntry } from '../../audit/newest-entries.ts';
import { rotatedParts } from '../../audit/parts.ts';

/**
 * How many entries there are before the newest, as their numbers say, which go up by one. A journal that somebody wrote by hand may say
 * anything: it has no more of them than it has room for.
 */
export function expectedBefore(journal: string, newest: PlacedEntry): number {
  const [oldest] = journalEntries(journal);
  const files = [...rotatedParts(journal).map(({ path }) => path), journal];
  const bytes = files.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  const difference = newest.entry.seq - (oldest?.entry.seq ?? 0);
  return Number.isSafeInteger(difference) ? Math.min(Math.max(0, difference), Math.floor(bytes / shortestEntry)) : 0;
}

/** In bytes: its `mac`, and the names of its fields. */
const shortestEntry = 120;
