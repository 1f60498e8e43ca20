import { queryJournal } from '../../audit/index-db/query-journal.ts';
import type { JournalEntry } from '../../audit/index.ts';
import type { CallRecord, DialectName } from '../index.ts';

export interface ReadCalls {
  /** Oldest first, without calls that Holdfast refused or that cost nothing. */
  readonly records: readonly CallRecord[];
  /** Invalid lines of the whole journal, and entries of calls that lack the fields for counting. */
  readonly unread: number;
}

/** Reads the calls of models since a time, in milliseconds since the epoch. Throws like `queryJournal`. */
export function readModelCalls(journal: string, since: number): ReadCalls {
  const { entries, skipped } = queryJournal(journal, {
    filter: { types: ['model'], since },
    limit: Number.MAX_SAFE_INTEGER - 1,
  });
  const readable = entries.filter(isReadableCall);
  return { records: readable.filter(isCall).map(recordOf), unread: skipped + entries.length - readable.length };
}

/**
 * Returns true if the entry of a call has the fields for counting. The journal may be from another version, or damaged.
 */
export function isReadableCall(entry: JournalEntry): boolean {
  const fields = entry as unknown as Readonly<Record<string, unknown>>;
  return (
    Object.entries(needed).every(([name, kinds]) => kinds.includes(kindOf(fields[name]))) &&
    !Number.isNaN(Date.parse(entry.time))
  );
}

type Kind = 'string' | 'number' | 'list' | 'object' | 'null' | 'undefined';

const needed: Readonly<Record<string, readonly string[]>> = {
  time: ['string'],
  session: ['string'],
  workspace: ['string'],
  provider: ['string'],
  dialect: ['string'],
  operation: ['string'],
  model: ['string', 'undefined'],
  agent: ['string', 'undefined'],
  tokens: ['object', 'undefined'],
  usd: ['number', 'null'],
  prices: ['string'],
  completeness: ['string'],
  status: ['number'],
  toolCalls: ['list'],
  refusal: ['object', 'undefined'],
} satisfies Readonly<Record<string, readonly Kind[]>>;

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}

type ModelEntry = Extract<JournalEntry, { readonly type: 'model' }>;

const mostRecords = 1_000_000;

/** Reads the calls of models in the journal, oldest first, without calls that Holdfast refused or that cost nothing. */
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

/** Attack: an entry without the fields for counting would cost nothing, or would make every later call fail. */
export function countedRecord(entry: ModelEntry): CallRecord {
  if (isReadableCall(entry)) return recordOf(entry);
  const { provider, model, status } = entry as unknown as Readonly<Record<string, unknown>>;
  const { tokens: _tokens, model: _model, ...rest } = entry;
  return recordOf({
    ...rest,
    ...(typeof model === 'string' ? { model } : {}),
    provider: typeof provider === 'string' ? provider : '',
    status: typeof status === 'number' ? status : 200,
    usd: null,
    toolCalls: [],
  });
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
