import { type IncomingResponse, type Refused, valueOf, withField } from '../../../egress/index.ts';
import { groupOf } from '../../../policy/index.ts';
import { withoutClaims } from '../../delivery/claims.ts';
import { decodedFields } from '../../inject/codings.ts';
import { refused } from '../../inject/refusals.ts';
import type { HttpInjectionKind, InjectorParts } from '../../inject/types.ts';
import type { CapturedToken, TokenName } from '../types.ts';
import { bytesBody, readBytes } from './bytes-body.ts';
import { looksLikeJson, replaceTokens } from './replace-tokens.ts';

export interface CaptureOptions {
  readonly names: ReadonlySet<TokenName>;
  /** Bytes that an answer may have. */
  readonly limit: number;
  /** What becomes of a successful answer that is neither JSON nor a form. */
  readonly other: 'passed' | 'refused';
}

/** Keeps the tokens of an answer outside. What could hold tokens and cannot be understood does not pass. */
export async function captureAnswer<Kind extends HttpInjectionKind>(response: IncomingResponse, { names, limit, other }: CaptureOptions, parts: InjectorParts<Kind>): Promise<IncomingResponse | Refused> {
  const { body, status, fields } = response;
  if (body === undefined) return response;
  // Attack: a part that begins where a token does says nothing of it.
  if (status === 206) return unread('is a part of one', parts);
  const bytes = await readBytes(body, limit).catch((error: unknown) => (error instanceof RangeError ? 'long' : 'broken'));
  if (typeof bytes === 'string') return unread(bytes === 'long' ? `has more than ${limit / 1024} KiB` : 'broke off', parts);
  const type = (valueOf(fields, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const answer = { text: bytes.toString('latin1'), type };
  const replaced = replaceTokens(answer, names, (name, text) => parts.context.tokens.capture(parts.credential, captured(name, text, parts)));
  switch (replaced.kind) {
    case 'unreadable':
      return unread('holds a token that cannot be kept', parts);
    case 'other':
      return bytes.length > 0 && status < 300 && (other === 'refused' || /[/+]json$/u.test(type) || looksLikeJson(answer.text)) ? unread('is neither JSON nor a form', parts) : { ...response, body: bytesBody(bytes) };
    case 'replaced':
      return replaced.text === answer.text ? { ...response, body: bytesBody(bytes) } : withContent(response, replaced.text);
  }
}

function withContent(response: IncomingResponse, text: string): IncomingResponse {
  const bytes = Buffer.from(text, 'latin1');
  return { ...response, fields: withField(decodedFields(response.fields), 'Content-Length', String(bytes.length)), body: bytesBody(bytes) };
}

/** Claims are masked in what stands for a token where they are in the files of its credential. */
function captured<Kind extends HttpInjectionKind>(name: TokenName, text: string, { credential, context }: InjectorParts<Kind>): CapturedToken {
  const isMasked = context.credentials.some((each) => groupOf(each) === groupOf(credential) && each.delivery.files.some(({ claims }) => claims === 'masked'));
  const like = isMasked ? withoutClaims(text) : undefined;
  return { name, text, ...(like === undefined ? {} : { like }) };
}

function unread<Kind extends HttpInjectionKind>(why: string, { credential }: InjectorParts<Kind>): Refused {
  return refused({
    code: 'upstream-protocol',
    message: `The answer ${why}, so that nobody could keep the tokens of the credential "${credential.name}" outside of the box.`,
    remedy: 'Ask for JSON, and see whether the URL is that of the token endpoint.',
  });
}
