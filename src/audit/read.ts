import { journalEntries, type JournalEntry } from './entries.ts';

/**
 * Returns all entries in order at once, for a journal that fits into memory. See also `journalEntries`. A missing
 * journal has no entries.
 */
export function readEvents(file: string): readonly JournalEntry[] {
  return Array.from(journalEntries(file), ({ entry }) => entry);
}
