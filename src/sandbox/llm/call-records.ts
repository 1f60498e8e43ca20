import { queryJournal } from '../../audit/index-db/index.ts';
import type { JournalEntry } from '../../audit/index.ts';
import type { CallRecord, DialectName } from '../../llm/index.ts';

type ModelEntry = Extract<JournalEntry, { readonly type: 'model' }>;

const mostRecords = 1_000_000;

/** The calls of models that the journal holds, oldest first, without those that were refused here or cost nothing. */
export function callRecords(journal: string, since?: number): readonly CallRecord[] {
  const { entries } = queryJournal(journal, { filter: { types: ['model'], ...(since === undefined ? {} : { since }) }, limit: mostRecords });
  return entries.filter((entry): entry is ModelEntry => entry.type === 'model' && entry.refusal === undefined && (entry.operation === 'generate' || entry.operation === 'embed')).map(recordOf);
}

function recordOf({ time, session, workspace, agent, provider, dialect, model, tokens, usd, prices, completeness, status, duration, firstByte, toolCalls }: ModelEntry): CallRecord {
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
