import type { InjectionKind } from '../../policy/index.ts';
import type { Answer, Failure } from './types.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The secret in what a command printed: the text itself, or one of the JSON documents that helpers of this kind print.
 * Sources: AWS "Sourcing credentials with an external process" (Version 1), Kubernetes client.authentication.k8s.io
 * `ExecCredential`, RFC 6749 §5.1 (`access_token`, `expires_in`).
 */
export function parseAnswer(text: string, injection: InjectionKind, now: number): Answer | Failure {
  const value = text.replace(/\r?\n$/u, '');
  const document = keys.has(injection) ? undefined : objectOf(value);
  if (document === undefined) return { kind: 'answer', value, fields: {} };
  for (const read of documents) {
    const answer = read(document, now);
    if (answer !== undefined) return answer;
  }
  return garbled('it answered with JSON that holds no token');
}

/** Their secrets are documents themselves. */
const keys: ReadonlySet<InjectionKind> = new Set<InjectionKind>(['github-app', 'service-account']);

const documents: readonly ((document: Json, now: number) => Answer | Failure | undefined)[] = [credentialProcess, execCredential, token];

function credentialProcess(document: Json, now: number): Answer | Failure | undefined {
  const { Version: version, AccessKeyId: accessKeyId, SecretAccessKey: value, SessionToken: sessionToken, Expiration: expiration } = document;
  if (value === undefined && accessKeyId === undefined) return undefined;
  if (version !== 1 || typeof value !== 'string' || typeof accessKeyId !== 'string') return garbled('it answered with AWS credentials that are not of version 1');
  if (sessionToken !== undefined && sessionToken !== null && typeof sessionToken !== 'string') return garbled('it answered with a session token that is no text');
  return withExpiry({ kind: 'answer', value, fields: { accessKeyId, ...(typeof sessionToken === 'string' ? { sessionToken } : {}) } }, timeOf(expiration), now);
}

function execCredential(document: Json, now: number): Answer | Failure | undefined {
  if (document['kind'] !== 'ExecCredential') return undefined;
  const { token: value, expirationTimestamp } = recordOf(document['status']) ?? {};
  if (typeof value !== 'string') return garbled('it answered with an ExecCredential that holds no token');
  return withExpiry({ kind: 'answer', value, fields: {} }, timeOf(expirationTimestamp), now);
}

function token(document: Json, now: number): Answer | Failure | undefined {
  const value = document['token'] ?? document['access_token'];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return garbled('it answered with a token that is no text');
  const seconds = document['expires_in'];
  const expires = seconds === undefined || seconds === null ? timeOf(document['expiry'] ?? document['expiration']) : secondsFrom(seconds, now);
  return withExpiry({ kind: 'answer', value, fields: {} }, expires, now);
}

type Time = number | 'none' | 'unreadable';

function withExpiry(answer: Answer, expires: Time, now: number): Answer | Failure {
  if (expires === 'none') return answer;
  if (expires === 'unreadable') return garbled('it answered with a time of expiry that cannot be read');
  if (expires <= now) return garbled('it answered with a secret that has expired already');
  return { ...answer, expires };
}

/** A time with its zone (RFC 3339), or seconds since the epoch. */
function timeOf(value: unknown): Time {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'number') return Number.isFinite(value) ? value * 1000 : 'unreadable';
  const written = typeof value === 'string' && /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/u.test(value) ? Date.parse(value.replace(' ', 'T').toUpperCase()) : Number.NaN;
  return Number.isNaN(written) ? 'unreadable' : written;
}

/** Some servers write the number as a text. */
function secondsFrom(value: unknown, now: number): Time {
  const seconds = typeof value === 'string' && /^\d{1,10}$/u.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) ? now + seconds * 1000 : 'unreadable';
}

function objectOf(text: string): Json | undefined {
  if (!/^\s*\{/u.test(text)) return undefined;
  try {
    return recordOf(JSON.parse(text));
  } catch {
    // A password may begin with a brace. The error of the parser would quote it.
    return undefined;
  }
}

function recordOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function garbled(why: string): Failure {
  return { kind: 'unavailable', why, remedy: 'have it print the secret alone, or JSON as AWS credential_process, a Kubernetes ExecCredential or an OAuth2 token answer' };
}
