import type { InjectionKind } from '../../../policy/credentials/injection.ts';
import type { SourceAnswer, SourceFailure } from '../types.ts';

/** Kinds whose secrets are themselves documents. */
const keys: ReadonlySet<InjectionKind> = new Set<InjectionKind>(['github-app', 'service-account']);

const documents: readonly ((document: Json, now: number) => SourceAnswer | SourceFailure | undefined)[] = [
  credentialProcess,
  execCredential,
  token,
];

type Json = Readonly<Record<string, unknown>>;

type Time = number | 'none' | 'unreadable';

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Finds the secret in a command's output: the text itself, or one of the JSON documents that such helpers print.
 * Sources: AWS "Sourcing credentials with an external process" (Version 1), Kubernetes client.authentication.k8s.io
 * `ExecCredential`, RFC 6749 §5.1 (`access_token`, `expires_in`).
 */
export function parseAnswer(text: string, injection: InjectionKind, now: number): SourceAnswer | SourceFailure {
  const value = text.replace(/\r?\n$/u, '');
  const document = keys.has(injection) ? undefined : objectOf(value);
  if (document === undefined) return { kind: 'answer', value, fields: {} };
  for (const read of documents) {
    const answer = read(document, now);
    if (answer !== undefined) return answer;
  }
  return garbled('it answered with JSON that holds no token');
}

function credentialProcess(document: Json, now: number): SourceAnswer | SourceFailure | undefined {
  const {
    Version: version,
    AccessKeyId: accessKeyId,
    SecretAccessKey: value,
    SessionToken: sessionToken,
    Expiration: expiration,
  } = document;
  if (value === undefined && accessKeyId === undefined) return undefined;
  if (version !== 1 || typeof value !== 'string' || typeof accessKeyId !== 'string')
    return garbled('it answered with AWS credentials that are not of version 1');
  if (sessionToken !== undefined && sessionToken !== null && typeof sessionToken !== 'string')
    return garbled('it answered with a session token that is not a string');
  return withExpiry(
    { kind: 'answer', value, fields: { accessKeyId, ...(typeof sessionToken === 'string' ? { sessionToken } : {}) } },
    timeOf(expiration),
    now,
  );
}

function execCredential(document: Json, now: number): SourceAnswer | SourceFailure | undefined {
  if (document['kind'] !== 'ExecCredential') return undefined;
  const { token: value, expirationTimestamp } = recordOf(document['status']) ?? {};
  if (typeof value !== 'string') return garbled('it answered with an ExecCredential that holds no token');
  return withExpiry({ kind: 'answer', value, fields: {} }, timeOf(expirationTimestamp), now);
}

function token(document: Json, now: number): SourceAnswer | SourceFailure | undefined {
  const value = document['token'] ?? document['access_token'];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return garbled('it answered with a token that is not a string');
  const seconds = document['expires_in'];
  const expires =
    seconds === undefined || seconds === null
      ? timeOf(document['expiry'] ?? document['expiration'])
      : secondsFrom(seconds, now);
  return withExpiry({ kind: 'answer', value, fields: {} }, expires, now);
}

function withExpiry(answer: SourceAnswer, expires: Time, now: number): SourceAnswer | SourceFailure {
  if (expires === 'none') return answer;
  if (expires === 'unreadable') return garbled('it answered with an expiry time that cannot be parsed');
  if (expires <= now) return garbled('it answered with a secret that has expired already');
  return { ...answer, expires };
}

/** A time with its time zone (RFC 3339), or seconds since the epoch. */
function timeOf(value: unknown): Time {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'number') return Number.isFinite(value) ? value * 1000 : 'unreadable';
  const written =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/u.test(value)
      ? Date.parse(value.replace(' ', 'T').toUpperCase())
      : Number.NaN;
  return Number.isNaN(written) ? 'unreadable' : written;
}

/** Some servers write the number as a string. */
function secondsFrom(value: unknown, now: number): Time {
  const seconds = typeof value === 'string' && /^\d{1,10}$/u.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) ? now + seconds * 1000 : 'unreadable';
}

function objectOf(text: string): Json | undefined {
  if (!/^\s*\{/u.test(text)) return undefined;
  try {
    return recordOf(JSON.parse(text));
  } catch {
    // A password may begin with a brace. The parser's error is dropped, because it would quote the password.
    return undefined;
  }
}

function recordOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function garbled(why: string): SourceFailure {
  return {
    kind: 'unavailable',
    why,
    remedy:
      'let it print only the secret, or JSON as AWS credential_process, a Kubernetes ExecCredential or an OAuth2 token answer',
  };
}
