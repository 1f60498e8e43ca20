import { validateHeaderName, validateHeaderValue } from 'node:http';
import { HoldfastError } from '../../errors/index.ts';

/** Target of an export. Never printed in full: the query and the headers may hold secrets. */
export interface OtlpTarget {
  readonly logs: URL;
  readonly traces: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the target for a collector's base URL, to which `/v1/logs` and `/v1/traces` are added:
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp-request
 */
export function otlpTarget(
  text: string,
  headers: readonly (readonly [name: string, value: string])[] = [],
): OtlpTarget {
  const base = URL.parse(text);
  if (base === null || !['http:', 'https:'].includes(base.protocol))
    throw usage(
      'the URL of the collector is not an http or https URL',
      'use --otlp https://collector.example.com:4318',
    );
  if (base.username !== '' || base.password !== '')
    throw usage(
      'the URL of the collector holds a password',
      'write it as a header into a file, and name that with --headers-file',
    );
  return {
    logs: signalUrl(base, 'logs'),
    traces: signalUrl(base, 'traces'),
    headers: Object.fromEntries(headers.map(checkedHeader)),
  };
}

/** Returns a URL for messages, without parts that may be secret. */
export function plainUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function signalUrl(base: URL, signal: 'logs' | 'traces'): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/(?<!\/)\/+$/u, '').replace(/\/v1\/(?:logs|traces)$/u, '')}/v1/${signal}`;
  url.hash = '';
  return url;
}

/** Headers that Holdfast sets itself. */
const ours: readonly string[] = ['content-type', 'content-length', 'transfer-encoding', 'connection', 'host'];

function checkedHeader([name, value]: readonly [string, string]): readonly [string, string] {
  const key = name.toLowerCase();
  if (ours.includes(key)) throw usage(`the header ${JSON.stringify(key)} is set by the export itself`, 'leave it out');
  try {
    validateHeaderName(key);
    validateHeaderValue(key, value);
  } catch {
    // Leaves out Node's error, because its cause would quote the value.
    throw usage(`the header ${JSON.stringify(key)} cannot be sent`, 'write one line "Name: value" of printable ASCII');
  }
  return [key, value];
}

function usage(message: string, remedy: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy });
}
