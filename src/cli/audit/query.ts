import { queryJournal } from '../../audit/index-db/query-journal.ts';
import { entryPrinter } from './entry-line.ts';
import { type AuditInput, filterOf, limitOf } from './input.ts';
import { teller, tellOf } from './tell.ts';

const defaultLimit = 100;

/** Prints the newest entries that match the filters, oldest first. Exits with 1 if no entry matches. */
export function query(input: AuditInput): number {
  const tell = teller(input.io);
  const limit = limitOf(input, defaultLimit);
  const result = queryJournal(input.journal, { filter: filterOf(input), limit, tell });
  const print = entryPrinter(input);
  input.io.stdout.write(result.entries.map(print).join(''));
  if (result.entries.length === 0) tell('no entry matches the filters');
  if (result.more) tell(`these are the last ${limit}: --limit shows more`);
  tellOf(result, tell);
  return result.entries.length === 0 ? 1 : 0;
}
