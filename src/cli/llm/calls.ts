import { existsSync } from 'node:fs';
import type { EventFilter } from '../../audit/index-db/filter.ts';
import { queryJournal } from '../../audit/index-db/query-journal.ts';
import type { JournalEntry } from '../../audit/index.ts';
import { callFile, isCallId } from '../../llm/session/log/call-id.ts';
import { isReadableCall } from '../../llm/session/read-calls.ts';
import type { StatePaths } from '../../place/host/state-paths.ts';

export type ModelEntry = Extract<JournalEntry, { readonly type: 'model' }>;

const most = 1_000_000;

export type TextsState = 'kept' | 'gone' | 'lost' | 'none';

/**
 * Returns calls of the journal, oldest first. Skips entries without a call's fields, of another version or written by
 * hand.
 */
export function callsOf(journal: string, filter: EventFilter, limit: number = most): readonly ModelEntry[] {
  const { entries } = queryJournal(journal, { filter: { ...filter, types: ['model'] }, limit });
  return entries.filter((entry): entry is ModelEntry => entry.type === 'model' && isReadableCall(entry));
}

/** Returns whether the texts of a call exist. */
export function textsState({ calls }: Pick<StatePaths, 'calls'>, { log, logFailure }: ModelEntry): TextsState {
  if (logFailure !== undefined) return 'lost';
  if (log === undefined || !isCallId(log)) return 'none';
  return existsSync(callFile(calls, log)) ? 'kept' : 'gone';
}

/** Returns a call for `--json`. */
export function callJson(entry: ModelEntry, texts: TextsState): Readonly<Record<string, unknown>> {
  const {
    seq,
    time,
    session,
    workspace,
    provider,
    dialect,
    operation,
    host,
    port,
    model,
    agent,
    status,
    tokens,
    usd,
    prices,
    completeness,
    duration,
    firstByte,
    toolCalls,
    refusal,
    log,
    logFailure,
  } = entry;
  const absent = null;
  return {
    id: seq,
    log: log ?? absent,
    time,
    session,
    workspace,
    provider,
    dialect,
    operation,
    host,
    port,
    model: model ?? absent,
    agent: agent ?? absent,
    status,
    tokens: tokens ?? absent,
    usd,
    prices,
    completeness,
    duration,
    firstByte: firstByte ?? absent,
    toolCalls,
    refusal: refusal ?? absent,
    texts,
    logFailure: logFailure ?? absent,
  };
}
