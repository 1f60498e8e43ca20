import { type Fields, tokensOf, valuesOf } from '../message.ts';
import { parseFieldLines, problem, type HttpProblem, type RequestHead } from './field-lines.ts';

/** Describes where a message's content ends. */
export type BodyFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' };

/**
 * Fields that control how a message is read. If `Connection` names one of them, the next parser drops it and reads the
 * message differently.
 */
const framingFields = ['content-length', 'transfer-encoding', 'host', 'content-type', 'expect'];

/** Sources: RFC 9112 §6.1 to §6.3. Messages that a recipient may repair are refused instead. */
export function requestFraming({ minor, fields }: RequestHead): BodyFraming | HttpProblem {
  const framing = statedFraming({ minor, fields }, 400);
  if (framing?.kind === 'problem') return framing;
  if (tokensOf(fields, 'connection').some((name) => framingFields.includes(name)))
    return problem(400, 'The Connection field names a field that says how the request is read.');
  // Attack: behind CGI and WSGI, `Transfer_Encoding` is `Transfer-Encoding` too.
  if (fields.some(({ key }) => key.includes('_') && framingFields.includes(key.replaceAll('_', '-'))))
    return problem(400, 'A header field is named like one that says how the request is read, with an underscore.');
  return framing ?? { kind: 'none' };
}

export function responseFraming(head: ResponseHead, method: string): BodyFraming | HttpProblem {
  const stated = statedFraming(head, 502);
  if (stated?.kind === 'problem') return stated;
  if (method === 'HEAD' || head.status === 204 || head.status === 304 || head.status < 200) return { kind: 'none' };
  return stated ?? { kind: 'until-close' };
}

function statedFraming(
  { minor, fields }: Pick<RequestHead, 'minor' | 'fields'>,
  status: number,
): BodyFraming | HttpProblem | undefined {
  const lengths = valuesOf(fields, 'content-length');
  const codings = valuesOf(fields, 'transfer-encoding');
  if (lengths.length > 0 && codings.length > 0)
    return problem(status, 'Both Content-Length and Transfer-Encoding are given.');
  if (codings.length > 0) {
    if (minor === 0) return problem(status, 'HTTP/1.0 has no Transfer-Encoding.');
    return codings.length === 1 && codings[0]?.toLowerCase() === 'chunked'
      ? { kind: 'chunked' }
      : problem(status, 'The only Transfer-Encoding that is relayed is one "chunked".');
  }
  const [length] = lengths;
  if (length === undefined) return undefined;
  if (lengths.length > 1) return problem(status, 'There are several Content-Length fields.');
  return /^\d{1,15}$/u.test(length)
    ? { kind: 'length', length: Number(length) }
    : problem(status, 'The Content-Length is not a plain number.');
}

export interface ResponseHead {
  readonly kind: 'head';
  /** 100 to 599. */
  readonly status: number;
  readonly reason: string;
  /** HTTP/1.0 or HTTP/1.1. */
  readonly minor: 0 | 1;
  readonly fields: Fields;
}

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\u0020-\u007e\u0080-\u00ff]*))?$/u;

/** Parses a response head without the final empty line, as strictly as a request, because of response splitting. */
export function parseResponseHead(text: string): ResponseHead | HttpProblem {
  const [line = '', ...lines] = text.split('\r\n');
  const parts = statusLine.exec(line);
  if (parts === null) return problem(502, 'The status line is malformed.');
  const parsed = parseFieldLines(lines);
  if (parsed.kind === 'problem') return parsed;
  return {
    kind: 'head',
    minor: parts[1] === '1' ? 1 : 0,
    status: Number(parts[2]),
    reason: parts[3] ?? '',
    fields: parsed.fields,
  };
}
