import { followJournal } from '../../audit/index.ts';
import { indexedFacts, type RawEntry } from '../../audit/index-db/facts.ts';
import { type EventFilter, matchesFilter } from '../../audit/index-db/filter.ts';
import { queryJournal } from '../../audit/index-db/query-journal.ts';
import { isSet } from '../command.ts';
import { entryPrinter } from './entry-line.ts';
import { type AuditInput, filterOf, limitOf } from './input.ts';
import { teller, tellOf } from './tell.ts';

const defaultLimit = 10;

/** Prints the last entries, and with `-f` new ones through every rotation, until the signal is aborted. */
export async function tail(input: AuditInput, signal: AbortSignal = new AbortController().signal): Promise<number> {
  const { io, values, journal } = input;
  const filter = filterOf(input);
  const print = entryPrinter(input);
  const tell = teller(io);
  const result = queryJournal(journal, { filter, limit: limitOf(input, defaultLimit), tell });
  io.stdout.write(result.entries.map(print).join(''));
  tellOf(result, tell);
  if (!isSet(values['follow'])) return 0;
  for await (const { entry } of followJournal(journal, { from: result.next, signal })) {
    if (isWanted(filter, entry as unknown as RawEntry)) io.stdout.write(print(entry));
  }
  return 0;
}

function isWanted(filter: EventFilter, entry: RawEntry): boolean {
  return matchesFilter(filter, indexedFacts(entry));
}
