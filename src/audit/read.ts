import { journalEntries, type JournalEntry } from './entries.ts';

/**
 * All entries in order, at once: for journals that fit into memory, see `journalEntries`. A missing journal has none.
 */
export function readEvents(file: string): readonly JournalEntry[] {
  return Array.from(journalEntries(file), ({ entry }) => entry);
}
