import type { JournalEntry } from '../../audit/index.ts';
import { factsOf, type RawEntry } from '../../audit/index-db/index.ts';
import { describeEntry } from '../../audit/report/index.ts';
import { escapeHidden } from '../../text/escape-hidden.ts';

const columns = ['seq', 'time', 'session', 'type', 'decision', 'paths', 'hosts', 'what'] as const;

/** RFC 4180. */
export function* csvLines(entries: Iterable<JournalEntry>): Generator<string, void, undefined> {
  yield `${columns.join(',')}\r\n`;
  for (const entry of entries) {
    const { session, type, decision, paths, hosts } = factsOf(entry as unknown as RawEntry);
    const cells = [String(entry.seq), String(entry.time), session, type, decision, paths.join(' '), hosts.join(' '), describeEntry(entry)];
    yield `${cells.map(cellOf).join(',')}\r\n`;
  }
}

/** A cell that begins so, also in full width, is a formula to spreadsheets, which could send data away: https://owasp.org/www-community/attacks/CSV_Injection */
const formula = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r]/u;

function cellOf(text: string): string {
  const shown = escapeHidden(text);
  const safe = formula.test(shown) ? `'${shown}` : shown;
  return /[",\s]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
