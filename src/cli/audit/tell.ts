import type { JournalEntry } from '../../audit/index.ts';
import type { QueryResult } from '../../audit/index-db/query-journal.ts';
import { isKnown } from '../../audit/report/describe-entry.ts';
import { type CommandIo, safeText } from '../command.ts';

/** Returns a function that reports delays and faults on stderr. */
export function teller({ stderr }: Pick<CommandIo, 'stderr'>): (message: string) => void {
  return (message) => void stderr.write(safeText(`holdfast: ${message}\n`));
}

/** Reports the limits of an answer. */
export function tellOf(
  { skipped, entries }: Pick<QueryResult, 'skipped' | 'entries'>,
  tell: (message: string) => void,
): void {
  tellSkipped(skipped, tell);
  tellUnknown(entries.filter((entry) => !isKnown(entry)).length, tell);
}

function tellSkipped(lines: number, tell: (message: string) => void): void {
  if (lines > 0)
    tell(
      `${lines === 1 ? '1 line of the journal is not an entry' : `${lines} lines of the journal are not entries`}: \`holdfast audit verify\` names ${lines === 1 ? 'it' : 'them'}`,
    );
}

function tellUnknown(entries: number, tell: (message: string) => void): void {
  if (entries > 0)
    tell(
      `${entries === 1 ? '1 entry is' : `${entries} entries are`} of a later version of Holdfast, and shown as JSON`,
    );
}

/** Counts entries of later versions while they pass. */
export function* countingUnknown(
  entries: Iterable<JournalEntry>,
  tell: (message: string) => void,
): Generator<JournalEntry, void, undefined> {
  let unknown = 0;
  for (const entry of entries) {
    if (!isKnown(entry)) unknown += 1;
    yield entry;
  }
  tellUnknown(unknown, tell);
}
