import { journalEntries } from '../../audit/index.ts';
import { entryJson } from './entry-line.ts';
import type { AuditInput } from './input.ts';

/** Prints the journal unchanged, through all of its files. */
export function show({ io, journal }: AuditInput): number {
  for (const { entry } of journalEntries(journal)) io.stdout.write(entryJson(entry));
  return 0;
}
