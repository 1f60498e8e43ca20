import { existsSync } from 'node:fs';
import type { JournalEntry } from '../../audit/index.ts';
import type { EventFilter } from '../../audit/index-db/filter.ts';
import { queryJournal } from '../../audit/index-db/query-journal.ts';
import type { StatePaths } from '../../place/host/state-paths.ts';
import { isCallId } from '../../llm/session/log/call-id.ts';
import { callFile } from '../../llm/session/log/file-name.ts';
import { isReadableCall } from '../../llm/session/read-calls.ts';

export type ModelEntry = Extract<JournalEntry, { readonly type: 'model' }>;

/** Calls of the journal, oldest first. What lacks what a call has, of another version or by hand, is none. */
export function callsOf(journal: string, filter: EventFilter, limit: number = most): readonly ModelEntry[] {
  const { entries } = queryJournal(journal, { filter: { ...filter, types: ['model'] }, limit });
  return entries.filter((entry): entry is ModelEntry => entry.type === 'model' && isReadableCall(entry));
}

const most = 1_000_000;

export type TextsState = 'kept' | 'gone' | 'lost' | 'none';

/** Whether the texts of a call are there. */
export function textsState({ calls }: Pick<StatePaths, 'calls'>, { log, logFailure }: ModelEntry): TextsState {
  if (logFailure !== undefined) return 'lost';
  if (log === undefined || !isCallId(log)) return 'none';
  return existsSync(callFile(calls, log)) ? 'kept' : 'gone';
}

/** A call as `--json` has it. */
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
