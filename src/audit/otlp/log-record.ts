import { escapeHidden } from '../../text/escape-hidden.ts';
import type { JournalEntry } from '../entries.ts';
import { describeEntry, techniquesIn } from '../report/index.ts';
import { attributesOf, valueOf } from './attributes.ts';
import { nanoseconds, type KeyValue, type LogRecord } from './proto-json.ts';
import { sessionIds } from './session-ids.ts';

/** An entry as a log record. Its body is the line that `holdfast audit tail` shows; its fields are attributes `holdfast.…`. */
export function logRecordOf(entry: JournalEntry, observed: number): LogRecord {
  const { v: _v, time, prev: _prev, type, ...fields } = entry as JournalEntry & { readonly session?: unknown };
  const severity = severityOf(entry);
  return {
    timeUnixNano: nanoseconds(Date.parse(time) || 0),
    observedTimeUnixNano: nanoseconds(observed),
    ...severity,
    eventName: `holdfast.${type}`,
    body: { stringValue: escapeHidden(describeEntry(entry)) },
    attributes: [...conventional(entry), ...attributesOf('holdfast', fields)],
    ...(typeof fields.session === 'string' ? sessionIds(fields.session) : {}),
  };
}

type Severity = Pick<LogRecord, 'severityNumber' | 'severityText'>;

const severities: Readonly<Record<'INFO' | 'WARN' | 'ERROR', Severity>> = {
  INFO: { severityNumber: 9, severityText: 'INFO' },
  WARN: { severityNumber: 13, severityText: 'WARN' },
  ERROR: { severityNumber: 17, severityText: 'ERROR' },
};

const warned: readonly string[] = ['refusal', 'quarantine', 'text', 'trust.withheld', 'journal.repaired', 'journal.clock'];
const grave: readonly string[] = ['alarm', 'journal.lost', 'journal.begun'];

function severityOf(entry: JournalEntry): Severity {
  const { refusal, decision } = entry as { readonly refusal?: unknown; readonly decision?: unknown };
  if (grave.includes(entry.type)) return severities.ERROR;
  return warned.includes(entry.type) || refusal !== undefined || decision === 'deny' ? severities.WARN : severities.INFO;
}

/** Names that other tools know: https://opentelemetry.io/docs/specs/semconv/ */
const conventions: Readonly<Record<string, string>> = { session: 'session.id', host: 'server.address', port: 'server.port', method: 'http.request.method', status: 'http.response.status_code' };

function conventional(entry: JournalEntry): readonly KeyValue[] {
  const named = Object.entries(conventions).flatMap(([field, key]) => {
    const value = valueOf((entry as unknown as Readonly<Record<string, unknown>>)[field]);
    return value === undefined ? [] : [{ key, value }];
  });
  const techniques = techniquesIn(entry).map(({ id }) => id);
  return techniques.length === 0 ? named : [...named, { key: 'threat.technique.id', value: { arrayValue: { values: techniques.map((stringValue) => ({ stringValue })) } } }];
}
