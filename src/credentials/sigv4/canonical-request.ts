import type { OutgoingRequest } from '../../egress/index.ts';
import { pathOf } from '../inject/target.ts';
import { uriDecode, uriEncode } from './encode.ts';
import { queryNames } from './read-signature.ts';
import type { Unsignable } from './types.ts';
import { unsignable, useAnSdk } from './unsignable.ts';

export interface CanonicalParts {
  readonly service: string;
  readonly signedHeaders: readonly string[];
  /** Hex, or one of the words that stand for it. */
  readonly payloadHash: string;
}

export interface CanonicalRequest {
  readonly kind: 'canonical';
  /** One code point for each byte. */
  readonly text: string;
}

/** Their paths are encoded once and never normalised: keys of objects may hold anything. */
const objectStores: ReadonlySet<string> = new Set(['s3', 's3-object-lambda', 's3-outposts', 's3express']);

export function isObjectStore(service: string): boolean {
  return objectStores.has(service);
}

/** What is hashed and signed of a request, as it goes out. Source: IAM User Guide, "Create a canonical request". */
export function canonicalRequest(request: OutgoingRequest, { service, signedHeaders, payloadHash }: CanonicalParts): CanonicalRequest | Unsignable {
  const query = canonicalQuery(request.target);
  if (typeof query !== 'string') return query;
  const lines: string[] = [];
  for (const name of signedHeaders) {
    const value = headerValue(name, request);
    if (typeof value !== 'string') return value;
    lines.push(`${name}:${value.replaceAll(/[\t ]+/gu, ' ').trim()}\n`);
  }
  const text = [request.method, canonicalPath(pathOf(request.target), service), query, lines.join(''), signedHeaders.join(';'), payloadHash].join('\n');
  return { kind: 'canonical', text };
}

function canonicalPath(path: string, service: string): string {
  if (isObjectStore(service)) return path.split('/').map((segment) => uriEncode(uriDecode(segment))).join('/');
  // What the client has encoded is encoded a second time. Dot segments never come here: the way out refuses them.
  const normal = path.replaceAll(/\/{2,}/gu, '/');
  return normal.split('/').map(uriEncode).join('/');
}

function canonicalQuery(target: string): string | Unsignable {
  const start = target.indexOf('?');
  if (start === -1 || start === target.length - 1) return '';
  const query = target.slice(start + 1);
  if (query.includes('+')) return unsignable('its query holds a +, which some servers read as a blank', 'Write %20 or %2B.');
  if (/%(?![\da-f]{2})/iu.test(query)) return unsignable('its query holds an incomplete percent escape', 'Write %25 for a percent sign.');
  return query
    .split('&')
    .filter((parameter) => parameter !== '')
    .map((parameter) => parameter.split(/=(.*)/su, 2).map((part) => uriEncode(uriDecode(part))))
    .map(([name = '', value = '']): readonly [string, string] => [name, value])
    .filter(([name]) => name !== queryNames.signature)
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function headerValue(name: string, { authority, body, fields }: OutgoingRequest): string | Unsignable {
  if (name === 'host') return authority;
  const values = fields.filter(({ key }) => key === name).map(({ value }) => value);
  if (values.length > 1) return unsignable(`a signed header of it stands twice`, useAnSdk);
  if (values[0] !== undefined) return values[0];
  // HTTP/2 has no need of it, and the framing of HTTP/1.1 adds it.
  if (name === 'content-length' && body?.length !== undefined) return String(body.length);
  return unsignable('it signs a header that is not sent on', 'Sign fewer headers: none of the connection, and no key.');
}
