import { type JournalReport, verifyJournal } from '../../audit/index.ts';
import { isSet, jsonLine, safeText } from '../command.ts';
import type { AuditInput } from './input.ts';

/** Prints problems of the journal as `file:line: problem`, and exits with 1 if there are any. */
export async function verify({ io, values, journal }: AuditInput): Promise<number> {
  const report = await verifyJournal(journal);
  io.stdout.write(isSet(values['json']) ? jsonLine({ journal, ...report }) : safeText(verdictText(journal, report)));
  return report.problems.length === 0 ? 0 : 1;
}

function verdictText(journal: string, { entries, unkeyed, problems, omitted }: JournalReport): string {
  const lines = problems.map(({ file, line, message }) => `${file}:${line}: ${message}\n`);
  if (omitted > 0) lines.push(`and ${omitted} more problems\n`);
  if (lines.length > 0) return lines.join('');
  const early = unkeyed === 0 ? '' : `; ${unkeyed} of them are from before the key, so anyone could have written them`;
  return `${journal}: ${entries} entries, the chain is whole${early}\n`;
}
