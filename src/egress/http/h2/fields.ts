import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import { field } from '../fields.ts';
import type { Field, Fields } from '../message.ts';

/** Fields that HTTP/2 does not have. Node throws when it is given one. Source: RFC 9113 §8.2.2. */
const notInHttp2 = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'host',
  'http2-settings',
]);

/**
 * The fields of a block as Node gives it: pseudo-fields left out, `cookie` crumbs joined, duplicates of single fields
 * dropped.
 */
export function fieldsOf(headers: IncomingHttpHeaders): Fields {
  return Object.entries(headers).flatMap(([name, value]): readonly Field[] => {
    if (name.startsWith(':') || value === undefined) return [];
    return Array.isArray(value) ? value.map((each) => field(name, each)) : [field(name, value)];
  });
}

/** A block for Node to send. Several fields of one name stay several. */
export function headersOf(fields: Fields): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, never>;
  for (const { key, value } of fields) {
    if (notInHttp2.has(key) || key.startsWith(':')) continue;
    const present = headers[key];
    headers[key] = present === undefined ? value : [...(Array.isArray(present) ? present : [present]), value];
  }
  return headers;
}
