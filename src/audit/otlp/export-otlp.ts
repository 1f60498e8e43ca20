import type { JournalEntry } from '../entries.ts';
import { attributesOf } from './attributes.ts';
import { deliver, type Delivery } from './deliver.ts';
import { logRecordOf } from './log-record.ts';
import { poster } from './post-json.ts';
import { type LogRecord, type LogsRequest, type Resource, scope, type Span, type TracesRequest } from './proto-json.ts';
import { SessionSpans } from './session-spans.ts';
import type { OtlpTarget } from './target.ts';

export interface OtlpExportOptions {
  readonly target: OtlpTarget;
  readonly entries: Iterable<JournalEntry>;
  /** `host.name` of the resource. */
  readonly host: string;
  /** For everything, in milliseconds. Default: five minutes. */
  readonly timeout?: number;
  /** The first pause before an attempt is repeated, in milliseconds. Default: 500. */
  readonly pause?: number;
}

export interface OtlpSummary {
  readonly logs: number;
  readonly spans: number;
  /** What the collector took and then said it does not keep. */
  readonly rejected: number;
}

const defaultTimeout = 300_000;
const defaultPause = 500;
/** Collectors refuse requests of more than some megabytes. */
const mostRecords = 500;
const mostBytes = 1_000_000;

/** Sends entries as log records, and a span for each session among them that has ended. Throws `HF_EXPORT_FAILED`. */
export async function exportOtlp({ target, entries, host, timeout = defaultTimeout, pause = defaultPause }: OtlpExportOptions): Promise<OtlpSummary> {
  using connections = poster();
  const delivery: Delivery = { poster: connections, headers: target.headers, deadline: performance.now() + timeout, pause };
  const resource: Resource = { attributes: [...attributesOf('service', { name: 'holdfast' }), ...attributesOf('host', { name: host })] };
  const spans = new SessionSpans();
  const summary = { logs: 0, spans: 0, rejected: 0 };
  for (const records of batches(recordsOf(entries, spans))) {
    summary.rejected += rejectedIn(await deliver(target.logs, JSON.stringify(logsRequest(resource, records)), delivery));
    summary.logs += records.length;
  }
  for (const batch of batches(spans.build())) {
    summary.rejected += rejectedIn(await deliver(target.traces, JSON.stringify(tracesRequest(resource, batch)), delivery));
    summary.spans += batch.length;
  }
  return summary;
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

function tracesRequest(resource: Resource, spans: readonly Span[]): TracesRequest {
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] };
}

/** A partial success: https://opentelemetry.io/docs/specs/otlp/#partial-success-1. Its message stays out: it may quote what was sent. */
function rejectedIn(body: string): number {
  try {
    const { partialSuccess } = JSON.parse(body) as { readonly partialSuccess?: { readonly rejectedLogRecords?: unknown; readonly rejectedSpans?: unknown } };
    const count = Number(partialSuccess?.rejectedLogRecords ?? partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(count) && count > 0 ? count : 0;
  } catch {
    return 0;
  }
}
