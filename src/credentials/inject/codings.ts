import {
  type Body,
  type Fields,
  type IncomingResponse,
  type OutgoingRequest,
  fieldValue,
  valuesOf,
  withField,
  withoutField,
} from '../../egress/http/message.ts';
import type { Refused } from '../../egress/types.ts';
import { acceptableCodings, type ContentCodings, contentCodings, decodeBody } from '../masking/content-codings.ts';
import { shortestBeginning } from '../masking/matcher.ts';
import { refusedWith } from './misuse.ts';

const readable: ReadonlySet<string> = new Set([...acceptableCodings, 'identity']);

/**
 * Integrity fields. They no longer match once Holdfast has decoded the content. Sources: RFC 9530, RFC 3230, RFC 1864.
 */
const digests: ReadonlySet<string> = new Set(['content-md5', 'digest', 'content-digest', 'repr-digest']);

/**
 * Codings of single messages. Attack: grpc-go encodes its answer like the request, even if the client does not accept
 * that coding.
 */
const messageCodings = ['grpc-encoding', 'connect-content-encoding'] as const;

/**
 * Removes from a request the codings whose content Holdfast could not search. It cannot search a part of a coded
 * answer, nor gRPC's own codings.
 */
export function readableCodings(fields: Fields): Fields {
  const asked = valuesOf(fields, 'accept-encoding');
  const rest = ['grpc-accept-encoding', 'connect-accept-encoding'].reduce(withoutField, fields);
  if (asked.length === 0) return rest;
  const members =
    fieldValue(fields, 'range') === undefined
      ? asked.flatMap((value) => value.split(',')).map((member) => member.trim())
      : [];
  const kept = members.filter((member) => readable.has((member.split(';', 1)[0] ?? '').trim().toLowerCase()));
  return withField(rest, 'Accept-Encoding', kept.length === 0 ? 'identity' : kept.join(', '));
}

/** Returns the answer with its content decoded, or a refusal if the coding is unknown. */
export function decodedAnswer(answer: IncomingResponse, { method }: OutgoingRequest): IncomingResponse | Refused {
  const { fields, body, status } = answer;
  const codings = contentCodings(valuesOf(fields, 'content-encoding').join(','));
  if (body === undefined || method === 'HEAD' || status === 204 || status === 304) return answer;
  const unclear = unclearContent(codings, answer);
  if (unclear !== undefined) {
    giveUp(answer);
    return unreadable(unclear);
  }
  if (codings.kind === 'unknown' || codings.codings.length === 0) return answer;
  return { ...answer, fields: decodedFields(fields), body: decodeBody(body, codings.codings) };
}

function unclearContent(codings: ContentCodings, answer: IncomingResponse): string | undefined {
  const packed = messageCodings.map((key) => fieldValue(answer.fields, key) ?? 'identity');
  const inMessages = packed.find((coding) => coding.toLowerCase() !== 'identity');
  if (inMessages !== undefined) return `made of compressed messages (${shown(inMessages)})`;
  if (codings.kind === 'unknown') return `compressed in a way that Holdfast cannot decode (${shown(codings.coding)})`;
  if (answer.status !== 206) return undefined;
  return codings.codings.length > 0 ? 'a part of something compressed' : unclearPart(answer);
}

/**
 * Returns the reason that a partial answer cannot be searched. It has several parts, or so few bytes from the middle
 * that a client could collect a secret from such pieces. Attack: `credentials-reflection`.
 */
function unclearPart({ fields }: IncomingResponse): string | undefined {
  const [, first = '', last = '', whole = ''] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/iu.exec(fieldValue(fields, 'content-range') ?? '') ?? [];
  if (first === '') return 'made of several parts, or of one that it does not name';
  const isShort = Number(last) - Number(first) + 1 < shortestBeginning;
  const isAtEnd = Number(first) === 0 || Number(last) + 1 === Number(whole);
  return isShort && !isAtEnd ? `a part of fewer than ${shortestBeginning} bytes` : undefined;
}

/** Returns the fields of an answer after its content was decoded. */
export function decodedFields(fields: Fields): Fields {
  return fields.filter(({ key }) => key !== 'content-encoding' && key !== 'content-length' && !digests.has(key));
}

function unreadable(what: string): Refused {
  return refusedWith({
    code: 'upstream-protocol',
    message: `The answer is ${what}, so Holdfast cannot check whether it shows a secret.`,
    remedy: 'Ask without Accept-Encoding and Range, or with gzip, deflate, br or zstd.',
  });
}

function shown(coding: string): string {
  return coding.replaceAll(/[^\w.+, -]/gu, '?').slice(0, 40);
}

/** Ends the exchange of an answer that will not be read. */
export function giveUp({ body }: IncomingResponse): void {
  if (body !== undefined) void leave(body);
}

async function leave(body: Body): Promise<void> {
  try {
    for await (const _ of body) break;
  } catch {
    // The body broke off without our doing.
  }
}
