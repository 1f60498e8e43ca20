import type { Destination } from '../../types.ts';
import { namesDestination } from '../authority.ts';
import type { Scheme } from '../message.ts';
import { problem, type Problem } from './field-lines.ts';

export interface OriginForm {
  readonly kind: 'origin-form';
  /** Path and query, or `*`. */
  readonly target: string;
}

/**
 * Brings a request target into origin form. The absolute form must say the scheme and the destination that were
 * decided; the authority form belongs to CONNECT. Source: RFC 9112 §3.2.
 */
export function originForm(target: string, method: string, expected: { readonly scheme: Scheme; readonly destination: Destination }): OriginForm | Problem {
  if (target.startsWith('/')) return { kind: 'origin-form', target };
  if (target === '*' && method === 'OPTIONS') return { kind: 'origin-form', target };
  const parts = /^(https?):\/\/([^/?]*)(\/[^?]*)?(\?.*)?$/iu.exec(target);
  if (parts === null) return problem(400, 'The request target is neither a path nor a URL.');
  const [, scheme = '', authority = '', path = '/', query = ''] = parts;
  if (scheme.toLowerCase() !== expected.scheme || !namesDestination(authority, expected.destination)) {
    return problem(421, 'The URL in the request line is not of the destination that this connection was opened for.');
  }
  return { kind: 'origin-form', target: `${path}${query}` };
}
