import { normaliseHost } from '../../../policy/normalise/host.ts';
import { namesDestination } from '../../http/decide-request.ts';
import { parseRequestHead, type RequestHead } from '../../http/h1/field-lines.ts';
import { closeGently } from '../../http/h1/refuse.ts';
import { type Fields, tokensOf, fieldValue, valuesOf } from '../../http/message.ts';
import { refusePlain } from '../../http/refusals.ts';
import type { Destination, EgressRefusal } from '../../types.ts';
import {
  type ProxyAdmission,
  incomplete,
  malformedPrefix,
  malformedHost,
  malformedRequest,
  mismatchedHost,
  notByProxy,
  type ParsedPrefix,
  proxied,
  type ProxiedConnection,
  type ProxyGuard,
  unauthorised,
} from '../refusals.ts';

/**
 * Reads one request head, admits its sender and finds the destination. Undefined if the client was answered already, or
 * has left.
 */
export async function serveHttpProxy(admission: ProxyAdmission): Promise<ProxiedConnection | undefined> {
  const read = await admission.bytes.read(parseHead);
  switch (read.kind) {
    case 'ended':
      return void admission.client.destroy();
    case 'malformed':
      return refuse(admission, malformedRequest(read.reason));
    case 'parsed': {
      const head = parseRequestHead(read.value);
      if (head.kind === 'problem') return refuse(admission, malformedRequest(head.message), { status: head.status });
      if (!isAuthorised(head.fields, admission.guard)) return refuse(admission, unauthorised, { head });
      return head.method === 'CONNECT' ? serveConnect(admission, head) : serveAbsoluteForm(admission, head);
    }
  }
}

/** Source: RFC 9110 §9.3.6. */
function serveConnect(admission: ProxyAdmission, head: RequestHead): ProxiedConnection | undefined {
  const { client, bytes } = admission;
  const destination = parseAuthorityForm(head.target);
  if (destination === undefined) return refuse(admission, malformedHost, { head });
  if (!agrees(head, destination)) return refuse(admission, mismatchedHost, { head });
  if (hasContent(head)) return refuse(admission, malformedRequest('CONNECT has no content.'), { head });
  bytes.release();
  return proxied(
    { front: 'connect', destination, client },
    {
      reached: () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'),
      refuse: (refusal) => sayRefusal(admission, refusal, { head }),
    },
  );
}

function serveAbsoluteForm(admission: ProxyAdmission, head: RequestHead): ProxiedConnection | undefined {
  const { client, bytes } = admission;
  if (!/^http:\/\//iu.test(head.target)) return refuse(admission, notByProxy, { head });
  const form = parseAbsoluteForm(head.target, head.method);
  if (form === undefined) return refuse(admission, malformedHost, { head });
  if (!agrees(head, form.destination)) return refuse(admission, mismatchedHost, { head });
  bytes.release(inOriginForm(head, form));
  return proxied(
    { front: 'absolute-form', destination: form.destination, client },
    { reached: () => undefined, refuse: (refusal) => sayRefusal(admission, refusal, { head }) },
  );
}

/**
 * Returns true if `Host` agrees with the request line. The request line would win (RFC 9112 §3.2.2), but no honest
 * library sends a head that names two hosts.
 */
function agrees({ fields }: RequestHead, destination: Destination): boolean {
  const hosts = valuesOf(fields, 'host');
  return hosts.length <= 1 && hosts.every((host) => namesDestination(host, destination));
}

function hasContent({ fields }: RequestHead): boolean {
  return (
    valuesOf(fields, 'transfer-encoding').length > 0 ||
    valuesOf(fields, 'content-length').some((length) => length !== '0')
  );
}

interface Said {
  readonly head?: RequestHead;
  readonly status?: number;
}

function refuse(admission: ProxyAdmission, refusal: EgressRefusal, said: Said = {}): undefined {
  return admission.refuse(refusal, () => sayRefusal(admission, refusal, said));
}

function sayRefusal({ client }: ProxyAdmission, refusal: EgressRefusal, { head, status }: Said): void {
  refusePlain(client, refusal, {
    ...(head === undefined ? {} : { fields: head.fields }),
    ...(status === undefined ? {} : { status }),
  });
  void closeGently(client);
}

/** Returns true if one `Proxy-Authorization: Basic` field holds the name and the secret. Source: RFC 7617 §2. */
export function isAuthorised(fields: Fields, guard: ProxyGuard): boolean {
  const [value = '', ...more] = valuesOf(fields, 'proxy-authorization');
  const parts = /^basic +([\w+/-]{1,400}={0,2})$/iu.exec(value);
  if (parts === null || more.length > 0) return false;
  const text = Buffer.from(parts[1] ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon !== -1 && guard.admits(text.slice(0, colon), text.slice(colon + 1));
}

/** Octets of a request head addressed to the proxy. */
export const longestProxyHead = 16 * 1024;

const end = Buffer.from('\r\n\r\n');

/** Returns a request head without the final empty line, as latin1. */
export function parseHead(bytes: Buffer): ParsedPrefix<string> {
  const at = bytes.indexOf(end);
  if (at > longestProxyHead || (at === -1 && bytes.length > longestProxyHead))
    return malformedPrefix(`The head of the request is longer than ${longestProxyHead} octets.`);
  if (at !== -1) return { kind: 'parsed', value: bytes.toString('latin1', 0, at), length: at + end.length };
  return hasBareLineFeed(bytes) ? malformedPrefix('A line ends with a bare LF.') : incomplete;
}

/** This parser would wait for the end of such a head for ever. Another parser has already seen its end. */
function hasBareLineFeed(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1))
    if (bytes[at - 1] !== 0x0d) return true;
  return false;
}

interface AbsoluteForm {
  readonly kind: 'absolute-form';
  readonly destination: Destination;
  /** Spelled as the client wrote it, for `Host`. */
  readonly authority: string;
  /** Path and query, or `*`. */
  readonly target: string;
}

const httpPort = 80;

/**
 * Parses an `http://` URL of a request line. Undefined for every other scheme and form. Source: RFC 9112 §3.2.2 and
 * §3.2.4.
 */
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
 * Returns the same request addressed to the destination itself. It is the only request of its connection, because the
 * next one may be for another host. Fields for the proxy are removed, above all the secret.
 */
export function inOriginForm({ method, minor, fields }: RequestHead, { authority, target }: AbsoluteForm): Buffer {
  const kept = fields.filter(
    ({ key }) => key !== 'host' && key !== 'connection' && key !== 'keep-alive' && !key.startsWith('proxy-'),
  );
  const lines = kept.map(({ name, value }) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(
    `${method} ${target} HTTP/1.${minor}\r\nHost: ${authority}\r\nConnection: ${connectionOf(fields)}\r\n${lines}\r\n`,
    'latin1',
  );
}

/** Keeps the fields that the client named in `Connection`, so that they go no further than the next hop. */
function connectionOf(fields: Fields): string {
  const named = tokensOf(fields, 'connection').filter(
    (token) => token !== 'keep-alive' && token !== 'close' && !token.startsWith('proxy-'),
  );
  const upgrades = fieldValue(fields, 'upgrade') === undefined ? named.filter((token) => token !== 'upgrade') : named;
  return ['close', ...upgrades].join(', ');
}

/** A port as senders generate it: no sign, no leading zeros. */
const form = /^(\[[\da-f:.]{2,45}\]|[\w.-]{1,254})(?::([1-9]\d{0,4}))?$/iu;

/**
 * Parses `host:port`. Refuses credentials, escapes, zones and non-ASCII bytes, because another parser could find a
 * different host in them. Without `otherwise` the port is required, as in CONNECT.
 */
export function parseAuthorityForm(text: string, otherwise?: number): Destination | undefined {
  const parts = form.exec(text);
  if (parts === null) return undefined;
  const [, name = '', said] = parts;
  const host = normaliseHost(name);
  const port = said === undefined ? otherwise : Number(said);
  return host === undefined || port === undefined || port > 65_535 ? undefined : { host: host.text, port };
}
