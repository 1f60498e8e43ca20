import type { JournalEntry } from '../../audit/index.ts';
import { queryJournal } from '../../audit/index-db/query-journal.ts';
import type { CallRecord, DialectName } from '../index.ts';

export type ModelEntry = Extract<JournalEntry, { readonly type: 'model' }>;

const mostRecords = 1_000_000;

/** The calls of models that the journal holds, oldest first, without those that were refused here or cost nothing. */
export function callEntries(journal: string, since?: number): readonly ModelEntry[] {
  const { entries } = queryJournal(journal, {
    filter: { types: ['model'], ...(since === undefined ? {} : { since }) },
    limit: mostRecords,
  });
  return entries.filter(isCall);
}

export function isCall(entry: JournalEntry): entry is ModelEntry {
  return (
    entry.type === 'model' &&
    entry.refusal === undefined &&
    (entry.operation === 'generate' || entry.operation === 'embed')
  );
}

export function recordOf({
  time,
  session,
  workspace,
  agent,
  provider,
  dialect,
  model,
  tokens,
  usd,
  prices,
  completeness,
  status,
  duration,
  firstByte,
  toolCalls,
}: ModelEntry): CallRecord {
  return {
    at: time,
    session,
    workspace,
    ...(agent === undefined ? {} : { agent }),
    provider,
    dialect: dialect as DialectName,
    ...(model === undefined ? {} : { model }),
    ...(tokens === undefined ? {} : { usage: tokens }),
    usd,
    table: prices,
    completeness,
    status,
    milliseconds: duration,
    ...(firstByte === undefined ? {} : { firstByte }),
    toolCalls: toolCalls.length,
  };
}
