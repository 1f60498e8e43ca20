import type { JournalEntry } from '../../audit/index.ts';
import { factsOf, type RawEntry } from '../../audit/index-db/index.ts';
import { describeEntry } from '../../audit/report/index.ts';
import { csvLine } from '../../text/csv-line.ts';

const columns = ['seq', 'time', 'session', 'type', 'decision', 'paths', 'hosts', 'what'] as const;

/** RFC 4180. */
export function* csvLines(entries: Iterable<JournalEntry>): Generator<string, void, undefined> {
  yield csvLine(columns);
  for (const entry of entries) {
    const { session, type, decision, paths, hosts } = factsOf(entry as unknown as RawEntry);
    yield csvLine([String(entry.seq), String(entry.time), session, type, decision, paths.join(' '), hosts.join(' '), describeEntry(entry)]);
  }
}
