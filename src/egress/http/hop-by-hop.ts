import { tokensOf } from './fields.ts';
import type { Fields } from './message.ts';

/**
 * Fields that mean one connection only. `Proxy-Authorization` is for us: the secret of a session's proxy must not
 * travel on. Source: RFC 9110 §7.6.1 and §11.7.2.
 */
const connectionFields = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/**
 * Fields a trailer may not carry, lest somebody merges it into a head that has been decided. Source: RFC 9110 §6.5.1.
 */
const notInTrailers = new Set([
  'content-length',
  'host',
  'authorization',
  'cookie',
  'set-cookie',
  'content-type',
  'content-encoding',
  'content-range',
  'expect',
  'trailer',
]);

/** What goes on to the next connection: nothing that means only this one, nothing that `Connection` names. */
export function endToEnd(fields: Fields): Fields {
  const named = tokensOf(fields, 'connection');

  return fields.flatMap((field) => {
    // `TE: trailers` is said anew on every connection, because we relay trailers on every connection.
    if (field.key === 'te') return takesTrailers([field]) ? [{ ...field, value: 'trailers' }] : [];
    return connectionFields.has(field.key) || named.includes(field.key) ? [] : [field];
  });
}

export function endToEndTrailers(fields: Fields): Fields {
  return fields.filter(({ key }) => !connectionFields.has(key) && !notInTrailers.has(key) && !key.startsWith(':'));
}

function takesTrailers(fields: Fields): boolean {
  return tokensOf(fields, 'te').includes('trailers');
}
