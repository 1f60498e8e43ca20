import { repairJournal } from '../../audit/index.ts';
import { isSet, jsonLine, safeText } from '../command.ts';
import type { AuditInput } from './input.ts';

/** Keeps a damaged journal under another name, and begins a new one. */
export async function repair({ io, values, journal }: AuditInput): Promise<number> {
  const found = await repairJournal(journal);
  if (isSet(values['json'])) io.stdout.write(jsonLine({ journal, ...found }));
  else
    io.stdout.write(
      safeText(
        found.kind === 'whole'
          ? `${journal} is whole: nothing was done\n`
          : `started a new journal; the damaged one is now ${found.aside}\n${found.reason}\n`,
      ),
    );
  return 0;
}
