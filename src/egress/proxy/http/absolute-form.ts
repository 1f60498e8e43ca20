import { tokensOf, valueOf } from '../../http/fields.ts';
import type { RequestHead } from '../../http/h1/request-head.ts';
import type { Fields } from '../../http/message.ts';
import type { Destination } from '../../types.ts';
import { parseAuthorityForm } from './authority-form.ts';

export interface AbsoluteForm {
  readonly kind: 'absolute-form';
  readonly destination: Destination;
  /** As the client wrote it, for `Host`. */
  readonly authority: string;
  /** Path and query, or `*`. */
  readonly target: string;
}

const httpPort = 80;

/** Reads an `http://` URL of a request line. Undefined for every other scheme and form. Source: RFC 9112 §3.2.2 and §3.2.4. */
export function parseAbsoluteForm(target: string, method: string): AbsoluteForm | undefined {
  const parts = /^http:\/\/([^/?#\\]+)(\/[^?#]*)?(\?[^#]*)?$/iu.exec(target);
  if (parts === null) return undefined;
  const [, authority = '', path, query = ''] = parts;
  const destination = parseAuthorityForm(authority, httpPort);
  if (destination === undefined) return undefined;
  const isWhole = method === 'OPTIONS' && path === undefined && query === '';
  return { kind: 'absolute-form', destination, authority, target: isWhole ? '*' : `${path ?? '/'}${query}` };
}

/**
 * The same request as one to the destination itself, and as the only one of its connection: the next may be for another
 * host. Fields for the proxy stay here, above all the one with the secret.
 */
export function inOriginForm({ method, minor, fields }: RequestHead, { authority, target }: AbsoluteForm): Buffer {
  const kept = fields.filter(({ key }) => key !== 'host' && key !== 'connection' && key !== 'keep-alive' && !key.startsWith('proxy-'));
  const lines = kept.map(({ name, value }) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${target} HTTP/1.${minor}\r\nHost: ${authority}\r\nConnection: ${connectionOf(fields)}\r\n${lines}\r\n`, 'latin1');
}

/** What the client named stays named, so that it goes no further than the next hop. */
function connectionOf(fields: Fields): string {
  const named = tokensOf(fields, 'connection').filter((token) => token !== 'keep-alive' && token !== 'close' && !token.startsWith('proxy-'));
  const upgrades = valueOf(fields, 'upgrade') === undefined ? named.filter((token) => token !== 'upgrade') : named;
  return ['close', ...upgrades].join(', ');
}
