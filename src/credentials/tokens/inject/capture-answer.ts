import { type IncomingResponse, fieldValue, withField } from '../../../egress/http/message.ts';
import type { Refused } from '../../../egress/types.ts';
import { groupOf } from '../../../policy/credentials/types.ts';
import { decodedFields } from '../../inject/codings.ts';
import { refusedWith } from '../../inject/misuse.ts';
import type { HttpInjectionKind, InjectorParts } from '../../inject/types.ts';
import type { CapturedToken, TokenName } from '../../types.ts';
import { isToken } from '../read-token-answer.ts';
import { bytesBody, readBytes, replaceFields, replaceStrings } from './json-strings.ts';

export interface CaptureOptions {
  readonly names: ReadonlySet<TokenName>;
  /** Most bytes of an answer. */
  readonly limit: number;
  /** Decision about a successful answer that is neither JSON nor a form. */
  readonly other: 'passed' | 'refused';
}

/** Keeps the tokens of an answer out of the box. Refuses answers that may hold tokens but cannot be parsed. */
export async function captureAnswer<Kind extends HttpInjectionKind>(
  response: IncomingResponse,
  { names, limit, other }: CaptureOptions,
  parts: InjectorParts<Kind>,
): Promise<IncomingResponse | Refused> {
  const { body, status, fields } = response;
  if (body === undefined) return response;
  // Attack: a partial answer that begins inside a token does not look like one that has a token.
  if (status === 206) return unread('is only a part', parts);
  const bytes = await readBytes(body, limit).catch((error: unknown) =>
    error instanceof RangeError ? 'long' : 'broken',
  );
  if (typeof bytes === 'string')
    return unread(bytes === 'long' ? `has more than ${limit / 1024} KiB` : 'broke off', parts);
  const type = (fieldValue(fields, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const answer = { text: bytes.toString('latin1'), type };
  const replaced = replaceTokens(answer, names, (name, text) =>
    parts.context.tokens.capture(parts.credential, captured(name, text, parts)),
  );
  switch (replaced.kind) {
    case 'unreadable':
      return unread('holds a token that cannot be kept', parts);
    case 'other':
      return bytes.length > 0 &&
        status < 300 &&
        (other === 'refused' || /[/+]json$/u.test(type) || looksLikeJson(answer.text))
        ? unread('is neither JSON nor a form', parts)
        : { ...response, body: bytesBody(bytes) };
    case 'replaced':
      return replaced.text === answer.text
        ? { ...response, body: bytesBody(bytes) }
        : withContent(response, replaced.text);
  }
}

function withContent(response: IncomingResponse, text: string): IncomingResponse {
  const bytes = Buffer.from(text, 'latin1');
  return {
    ...response,
    fields: withField(decodedFields(response.fields), 'Content-Length', String(bytes.length)),
    body: bytesBody(bytes),
  };
}

/** Creates the phantom of a token. Its claims are masked if the files of its credential mask claims. */
function captured<Kind extends HttpInjectionKind>(
  name: TokenName,
  text: string,
  { credential, context }: InjectorParts<Kind>,
): CapturedToken {
  const isMasked = context.credentials.some(
    (each) => groupOf(each) === groupOf(credential) && each.delivery.files.some(({ claims }) => claims === 'masked'),
  );
  const like = isMasked ? withoutClaims(text) : undefined;
  return { name, text, ...(like === undefined ? {} : { like }) };
}

function unread<Kind extends HttpInjectionKind>(why: string, { credential }: InjectorParts<Kind>): Refused {
  return refusedWith({
    code: 'upstream-protocol',
    message: `The answer ${why}, so Holdfast cannot keep the tokens of the credential "${credential.name}" out of the box.`,
    remedy: 'Ask for JSON, and check that the URL is that of the token endpoint.',
  });
}

/**
 * Returns a JSON Web Token whose only claims are its start and its expiry. Undefined for other texts. RFC 7519 §4.1.
 */
export function withoutClaims(token: string): string | undefined {
  const [header = '', payload = '', signature, ...more] = token.split('.');
  if (signature === undefined || more.length > 0) return undefined;
  const claims = parsed(payload);
  if (claims === undefined || parsed(header) === undefined) return undefined;
  const kept = Object.fromEntries(
    ['exp', 'iat', 'nbf'].flatMap((name) => (typeof claims[name] === 'number' ? [[name, claims[name]]] : [])),
  );
  return [header, Buffer.from(JSON.stringify(kept)).toString('base64url'), signature].join('.');
}

function parsed(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

interface TokenAnswerText {
  /** One character for each byte. */
  readonly text: string;
  /** Media type of the answer. Empty if the server names none. */
  readonly type: string;
}

/** `other`: neither JSON nor a form. `unreadable`: a field with the name of a token is not a token. */
type ReplacedTokens =
  | { readonly kind: 'replaced'; readonly text: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'unreadable' };

/**
 * Replaces the tokens in a token answer with phantoms. If `phantomOf` returns undefined, the result is `unreadable`.
 */
export function replaceTokens(
  { text, type }: TokenAnswerText,
  names: ReadonlySet<string>,
  phantomOf: (name: TokenName, token: string) => string | undefined,
): ReplacedTokens {
  let isReadable = true;
  const replacement = (key: string, value: string | null | undefined): string | undefined => {
    const name = snakeCase(key);
    if (!isNamed(names, name) || value === null || value === '') return undefined;
    const phantom = isToken(value) ? phantomOf(name, value) : undefined;
    if (phantom === undefined) isReadable = false;
    return phantom;
  };
  const replaced =
    replaceStrings(text, replacement) ?? (isForm(text, type, names) ? replaceFields(text, replacement) : undefined);
  if (!isReadable) return { kind: 'unreadable' };
  return replaced === undefined ? { kind: 'other' } : { kind: 'replaced', text: replaced };
}

function isNamed(names: ReadonlySet<string>, name: string): name is TokenName {
  return names.has(name);
}

/** Some servers write `accessToken` or `access-token`, and many clients ignore case. */
function snakeCase(key: string): string {
  return key
    .replaceAll(/([a-z])([A-Z])/gu, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

/**
 * GitHub answers with a form unless JSON is requested, and some servers label a form as plain text. Text that looks
 * like broken JSON does not count as a form.
 */
function isForm(text: string, type: string, names: ReadonlySet<string>): boolean {
  if (looksLikeJson(text)) return false;
  return (
    type === 'application/x-www-form-urlencoded' ||
    [...new URLSearchParams(text).keys()].some((name) => names.has(snakeCase(name)))
  );
}

/** Programs read JSON differently: some stop at its end, and some skip text before it. */
function looksLikeJson(text: string): boolean {
  return /^[^\w<%]*[[{"]/u.test(text);
}
