import { tokensOf, valuesOf } from '../fields.ts';
import { problem, type Problem } from './field-lines.ts';
import type { RequestHead } from './request-head.ts';
import type { ResponseHead } from './response-head.ts';

/** Where the content of a message ends. */
export type Framing = { readonly kind: 'none' } | { readonly kind: 'length'; readonly length: number } | { readonly kind: 'chunked' } | { readonly kind: 'until-close' };

/** Fields that say how a message is read. Naming one in `Connection` would take it away for the next parser only. */
const framingFields = ['content-length', 'transfer-encoding', 'host', 'content-type', 'expect'];

/** Sources: RFC 9112 §6.1 to §6.3. What they let a recipient repair is refused here. */
export function requestFraming({ minor, fields }: RequestHead): Framing | Problem {
  const framing = statedFraming({ minor, fields }, 400);
  if (framing?.kind === 'problem') return framing;
  if (tokensOf(fields, 'connection').some((name) => framingFields.includes(name))) return problem(400, 'The Connection field names a field that says how the request is read.');
  return framing ?? { kind: 'none' };
}

export function responseFraming(head: ResponseHead, method: string): Framing | Problem {
  const stated = statedFraming(head, 502);
  if (stated?.kind === 'problem') return stated;
  if (method === 'HEAD' || head.status === 204 || head.status === 304 || head.status < 200) return { kind: 'none' };
  return stated ?? { kind: 'until-close' };
}

function statedFraming({ minor, fields }: Pick<RequestHead, 'minor' | 'fields'>, status: number): Framing | Problem | undefined {
  const lengths = valuesOf(fields, 'content-length');
  const codings = valuesOf(fields, 'transfer-encoding');
  if (lengths.length > 0 && codings.length > 0) return problem(status, 'Both Content-Length and Transfer-Encoding are given.');
  if (codings.length > 0) {
    if (minor === 0) return problem(status, 'HTTP/1.0 has no Transfer-Encoding.');
    return codings.length === 1 && codings[0]?.toLowerCase() === 'chunked' ? { kind: 'chunked' } : problem(status, 'The only Transfer-Encoding that is relayed is one "chunked".');
  }
  const [length] = lengths;
  if (length === undefined) return undefined;
  if (lengths.length > 1) return problem(status, 'There are several Content-Length fields.');
  return /^\d{1,15}$/u.test(length) ? { kind: 'length', length: Number(length) } : problem(status, 'The Content-Length is not a plain number.');
}
