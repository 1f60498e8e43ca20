import type { Unavailable } from '../types.ts';

/** Tokens from a token endpoint. */
export interface Granted {
  readonly kind: 'granted';
  readonly accessToken: string;
  /** Milliseconds for which the token is valid. Absent if the answer does not state this. */
  readonly lifetime?: number;
  readonly refreshToken?: string;
}

export interface TokenDenied extends Unavailable {
  /** Error code, if it is a registered one. */
  readonly error?: string;
}

/**
 * Reads an answer as in RFC 6749 §5. Reports only registered error codes, because any other text is the server's own.
 */
export function readTokenAnswer({ status, body }: TokenAnswer): Granted | TokenDenied {
  const parsed = parsedObject(body);
  if (status < 200 || status > 299) return denied(status, parsed);
  if (parsed === undefined) return broken('answered without a JSON object');
  // Some servers report errors with status 200.
  if (parsed['error'] !== undefined) return denied(status, parsed);
  const type = parsed['token_type'];
  if (type !== undefined && String(type).toLowerCase() !== 'bearer')
    return broken('returned a token whose type is not Bearer');
  const accessToken = parsed['access_token'];
  if (!isToken(accessToken)) return broken('answered without an access token');
  const lifetime = lifetimeOf(parsed['expires_in']);
  const refreshToken = parsed['refresh_token'];
  return {
    kind: 'granted',
    accessToken,
    ...(lifetime === undefined ? {} : { lifetime }),
    ...(isToken(refreshToken) ? { refreshToken } : {}),
  };
}

/** Visible ASCII only, because a header cannot hold other characters. RFC 6749, appendix A. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]{1,16384}$/u.test(value);
}

export function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Parses seconds, as a number or as a string of digits, which some servers write. Returns milliseconds, at most a day.
 */
function lifetimeOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,12}$/u.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0
    ? Math.min(seconds, 86_400) * 1000
    : undefined;
}

/** RFC 6749 §4.1.2.1 and §5.2, RFC 8628 §3.5, RFC 8707 §2, OpenID Connect Core §3.1.2.6. */
const registered: ReadonlySet<unknown> = new Set([
  'access_denied',
  'authorization_pending',
  'consent_required',
  'expired_token',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'login_required',
  'server_error',
  'slow_down',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
]);

const remedies: Readonly<Record<string, string>> = {
  invalid_client: 'Check the client ID and the secret.',
  invalid_grant:
    'Log in again outside the box, and store the new token: this one has expired, was revoked or was already used.',
  invalid_scope: 'Check `scope` in `inject`.',
  invalid_target: 'Check `audience` in `inject`.',
  unauthorized_client: 'Allow this kind of grant for the client at its provider.',
};

function denied(status: number, parsed: Readonly<Record<string, unknown>> | undefined): TokenDenied {
  const error = parsed?.['error'];
  if (typeof error !== 'string' || !registered.has(error)) return broken(`answered with status ${status}`);
  return {
    kind: 'unavailable',
    message: `its token endpoint refused: ${error}`,
    remedy: remedies[error] ?? 'Try again later, and check the settings of the client at its provider.',
    error,
  };
}

function broken(what: string): TokenDenied {
  return {
    kind: 'unavailable',
    message: `its token endpoint ${what}`,
    remedy: 'Check the URL, and that the provider is up.',
  };
}

/**
 * Sends one request of the supervisor itself, only to an `https` URL. The request is decided, resolved, vetted and
 * verified like one from a box. Follows no redirect and never rejects.
 */
export interface TokenClient {
  fetch(url: string, request: TokenRequest): Promise<TokenAnswer | Unavailable>;
}

export interface TokenRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface TokenAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly body: string;
}

/** A journal event about a token, without any part of a token. */
export interface TokenEvent {
  readonly kind: 'refreshed' | 'captured' | 'unavailable';
  /** Name of the credential's group. */
  readonly credential: string;
  /** Reason that a token is missing, or advice about a refreshed one. */
  readonly message?: string;
}
