import { createHash } from 'node:crypto';
import { escapeHidden } from '../../text/escape-hidden.ts';
import type { JournalEntry } from '../entries.ts';
import type { SessionEndEvent, SessionStartEvent } from '../events.ts';
import { describeEntry } from '../report/describe-entry.ts';
import { techniquesIn } from '../report/sections.ts';
import { deliverOtlp, type OtlpDelivery, type OtlpRetry, poster } from './deliver.ts';
import {
  otlpAttributes,
  type KeyValue,
  type LogRecord,
  type LogsRequest,
  nanoseconds,
  type Resource,
  scope,
  type OtlpSpan,
  type TracesRequest,
  otlpValue,
} from './proto-json.ts';
import type { OtlpTarget } from './target.ts';

export interface OtlpExportOptions {
  readonly target: OtlpTarget;
  readonly entries: Iterable<JournalEntry>;
  /** `host.name` of the resource. */
  readonly host: string;
  /** Milliseconds for the whole export. Default: five minutes. */
  readonly timeout?: number;
  /** First pause before a retry, in milliseconds. Default: 500. */
  readonly pause?: number;
  /** Hears of the first failed try that is repeated. */
  readonly onRetry?: (retry: OtlpRetry) => void;
}

export interface OtlpSummary {
  readonly logs: number;
  readonly spans: number;
  /** Number of records that the collector accepted and then dropped. */
  readonly rejected: number;
}

const defaultTimeout = 300_000;
const defaultPause = 500;
/** Collectors refuse requests larger than a few megabytes. */
const mostRecords = 500;
const mostBytes = 1_000_000;

/** Sends entries as log records, and a span for each session that ended among them. Throws `HF_EXPORT_FAILED`. */
export async function exportOtlp({
  target,
  entries,
  host,
  timeout = defaultTimeout,
  pause = defaultPause,
  onRetry = () => undefined,
}: OtlpExportOptions): Promise<OtlpSummary> {
  using connections = poster();
  const delivery: OtlpDelivery = {
    poster: connections,
    headers: target.headers,
    deadline: performance.now() + timeout,
    pause,
    onRetry: onlyFirst(onRetry),
  };
  const resource: Resource = {
    attributes: [...otlpAttributes('service', { name: 'holdfast' }), ...otlpAttributes('host', { name: host })],
  };
  const spans = new SessionSpans();
  const summary = { logs: 0, spans: 0, rejected: 0 };
  for (const records of batches(recordsOf(entries, spans))) {
    summary.rejected += rejectedIn(
      await deliverOtlp(target.logs, JSON.stringify(logsRequest(resource, records)), delivery),
    );
    summary.logs += records.length;
  }
  for (const batch of batches(spans.build())) {
    summary.rejected += rejectedIn(
      await deliverOtlp(target.traces, JSON.stringify(tracesRequest(resource, batch)), delivery),
    );
    summary.spans += batch.length;
  }
  return summary;
}

/** One line is enough: every retry has the same cause, or ends with an error. */
function onlyFirst(hear: (retry: OtlpRetry) => void): (retry: OtlpRetry) => void {
  let heard = false;
  return (retry) => {
    if (!heard) hear(retry);
    heard = true;
  };
}

function* recordsOf(entries: Iterable<JournalEntry>, spans: SessionSpans): Generator<LogRecord, void, undefined> {
  const observed = Date.now();
  for (const entry of entries) {
    spans.add(entry);
    yield logRecordOf(entry, observed);
  }
}

function* batches<T>(records: Iterable<T>): Generator<readonly T[], void, undefined> {
  let batch: T[] = [];
  let size = 0;
  for (const record of records) {
    const { length } = JSON.stringify(record);
    if (batch.length === mostRecords || (batch.length > 0 && size + length > mostBytes)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(record);
    size += length;
  }
  if (batch.length > 0) yield batch;
}

function logsRequest(resource: Resource, logRecords: readonly LogRecord[]): LogsRequest {
  return { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] };
}

function tracesRequest(resource: Resource, spans: readonly OtlpSpan[]): TracesRequest {
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] };
}

/**
 * Reads a partial success: https://opentelemetry.io/docs/specs/otlp/#partial-success-1. Leaves out its message, because
 * it may quote the request.
 */
function rejectedIn(body: string): number {
  try {
    const { partialSuccess } = JSON.parse(body) as {
      readonly partialSuccess?: { readonly rejectedLogRecords?: unknown; readonly rejectedSpans?: unknown };
    };
    const count = Number(partialSuccess?.rejectedLogRecords ?? partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(count) && count > 0 ? count : 0;
  } catch {
    return 0;
  }
}

/**
 * Returns an entry as a log record. Its body is the line that `holdfast audit tail` shows. Its fields are attributes
 * `holdfast.…`.
 */
export function logRecordOf(entry: JournalEntry, observed: number): LogRecord {
  const { v: _v, time, prev: _prev, type, ...fields } = entry as JournalEntry & { readonly session?: unknown };
  const severity = severityOf(entry);
  return {
    timeUnixNano: nanoseconds(Date.parse(time) || 0),
    observedTimeUnixNano: nanoseconds(observed),
    ...severity,
    eventName: `holdfast.${type}`,
    body: { stringValue: escapeHidden(describeEntry(entry)) },
    attributes: [...conventional(entry), ...otlpAttributes('holdfast', fields)],
    ...(typeof fields.session === 'string' ? sessionIds(fields.session) : {}),
  };
}

type Severity = Pick<LogRecord, 'severityNumber' | 'severityText'>;

const severities: Readonly<Record<'INFO' | 'WARN' | 'ERROR', Severity>> = {
  INFO: { severityNumber: 9, severityText: 'INFO' },
  WARN: { severityNumber: 13, severityText: 'WARN' },
  ERROR: { severityNumber: 17, severityText: 'ERROR' },
};

const warned: readonly string[] = [
  'refusal',
  'quarantine',
  'covered',
  'text',
  'trust.withheld',
  'bundle.refused',
  'journal.repaired',
  'journal.clock',
];
const grave: readonly string[] = ['alarm', 'journal.lost', 'journal.begun'];

function severityOf(entry: JournalEntry): Severity {
  const { refusal, decision } = entry as { readonly refusal?: unknown; readonly decision?: unknown };
  if (grave.includes(entry.type)) return severities.ERROR;
  return warned.includes(entry.type) || refusal !== undefined || decision === 'deny'
    ? severities.WARN
    : severities.INFO;
}

/** Names that other tools know: https://opentelemetry.io/docs/specs/semconv/ */
const conventions: Readonly<Record<string, string>> = {
  session: 'session.id',
  host: 'server.address',
  port: 'server.port',
  method: 'http.request.method',
  status: 'http.response.status_code',
};

function conventional(entry: JournalEntry): readonly KeyValue[] {
  const named = Object.entries(conventions).flatMap(([field, key]) => {
    const value = otlpValue((entry as unknown as Readonly<Record<string, unknown>>)[field]);
    return value === undefined ? [] : [{ key, value }];
  });
  const techniques = techniquesIn(entry).map(({ id }) => id);
  return techniques.length === 0
    ? named
    : [
        ...named,
        {
          key: 'threat.technique.id',
          value: { arrayValue: { values: techniques.map((stringValue) => ({ stringValue })) } },
        },
      ];
}

/** Collects starts and ends of sessions as entries pass. A session that has not ended has no span yet. */
class SessionSpans {
  readonly #sessions = new Map<string, Begun>();

  add(entry: JournalEntry): void {
    if (entry.type === 'session.start') {
      const begun = this.#sessions.get(entry.session) ?? { start: entry, running: 0, end: undefined };
      this.#sessions.set(entry.session, { ...begun, running: begun.running + 1 });
    } else if (entry.type === 'session.end') {
      const begun = this.#sessions.get(entry.session);
      if (begun !== undefined) this.#sessions.set(entry.session, { ...begun, running: begun.running - 1, end: entry });
    }
  }

  /** Returns the spans of sessions whose every command has ended. */
  build(): readonly OtlpSpan[] {
    return Array.from(this.#sessions.values()).flatMap(({ start, end, running }) =>
      end === undefined || running > 0 ? [] : [spanOf(start, end)],
    );
  }
}

interface Begun {
  readonly start: JournalEntry & SessionStartEvent;
  readonly end: (JournalEntry & SessionEndEvent) | undefined;
  /** Number of running commands. */
  readonly running: number;
}

function spanOf(start: Begun['start'], end: JournalEntry & SessionEndEvent): OtlpSpan {
  const failed = end.exitCode !== 0 || end.reason !== 'exit';
  return {
    ...sessionIds(start.session),
    name: 'holdfast.session',
    kind: 1,
    startTimeUnixNano: nanoseconds(Date.parse(start.time) || 0),
    endTimeUnixNano: nanoseconds(Date.parse(end.time) || 0),
    attributes: [
      ...named('session.id', start.session),
      ...named('process.command_args', start.argv),
      ...named('process.exit.code', end.exitCode),
      ...otlpAttributes('holdfast', {
        workspace: start.workspace,
        backend: start.backend,
        policy: start.policy,
        reason: end.reason,
        signal: end.signal,
      }),
    ],
    status: failed
      ? { code: 2, message: end.reason === 'exit' ? `status ${end.exitCode}` : String(end.reason) }
      : { code: 0 },
  };
}

function named(key: string, value: unknown): readonly KeyValue[] {
  const known = otlpValue(value);
  return known === undefined ? [] : [{ key, value: known }];
}

/** Returns IDs that are the same in every export of a session, so that a second export creates no duplicate. */
function sessionIds(session: string): { readonly traceId: string; readonly spanId: string } {
  const digest = createHash('sha256').update(`holdfast session ${session}`).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}
