import type { IncomingHttpHeaders } from 'node:http2';
import { type Asked, malformed, type RefusedRequest } from '../decide-request.ts';
import { namesDestination } from '../authority.ts';
import { endToEnd } from '../hop-by-hop.ts';
import type { Fields } from '../message.ts';
import { escapeHighBytes } from '../url-path.ts';
import type { InterceptContext } from '../types.ts';
import { fieldsOf } from './fields.ts';

export interface Understood {
  readonly kind: 'understood';
  readonly asked: Asked;
  /** End-to-end fields without `Host`. */
  readonly fields: Fields;
}

/** Takes the head of a stream apart. nghttp2 has refused what RFC 9113 §8 calls malformed already. */
export function understand(headers: IncomingHttpHeaders, context: InterceptContext): Understood | RefusedRequest {
  const { ':method': method = '', ':scheme': scheme, ':path': path, ':protocol': protocol } = headers as Readonly<Record<string, string | undefined>>;
  const host = headers['host'];
  const authority = headers[':authority'] ?? host ?? '';
  if (host !== undefined && !namesDestination(host, context.destination)) return understood({ method, authority: host, target: path ?? '*' }, headers);
  if (method === 'CONNECT' && protocol === undefined) return understood({ method, authority, target: '*' }, headers);
  if (protocol !== undefined && protocol !== 'websocket') return malformed('The only protocol that is relayed inside HTTP/2 is "websocket".', 501);
  if (scheme !== context.scheme) return malformed(`The scheme of the request is not ${context.scheme}, which the connection is.`);
  if (path === undefined || !(path.startsWith('/') || (path === '*' && method === 'OPTIONS')) || path.includes('#')) return malformed('The :path of the request is malformed.');
  return understood({ method: protocol === undefined ? method : 'GET', authority, target: escapeHighBytes(path), upgrade: protocol }, headers);
}

/** What a refused request asked for, for the journal. */
export function askedIn(headers: IncomingHttpHeaders): Asked {
  return { method: headers[':method'] ?? '', authority: headers[':authority'] ?? '', target: headers[':path'] ?? '' };
}

function understood(asked: Asked, headers: IncomingHttpHeaders): Understood {
  return { kind: 'understood', asked, fields: endToEnd(fieldsOf(headers)).filter(({ key }) => key !== 'host') };
}
