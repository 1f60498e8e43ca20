import type { JournalEntry } from '../entries.ts';
import type { JournalEvent } from '../events.ts';

/** Events in the form of a journal, one second apart, without a valid chain. */
export function entriesOf(events: readonly JournalEvent[]): readonly JournalEntry[] {
  return events.map((event, index) => ({
    v: 2,
    seq: index + 1,
    time: new Date(Date.UTC(2026, 0, 2, 3, 4, 5 + index)).toISOString(),
    ...event,
    prev: '0'.repeat(64),
    mac: 'a'.repeat(64),
  }));
}
