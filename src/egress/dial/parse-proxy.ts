import { normaliseHost } from '../../policy/index.ts';

export interface UpstreamProxy {
  readonly kind: 'proxy';
  /** `https`: TLS up to the proxy. `socks5`: RFC 1928. */
  readonly protocol: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  /** The variable it comes from, for messages. */
  readonly variable: string;
  /** A function, so that no logger, journal or error ever prints a password. */
  readonly credentials: () => { readonly user: string; readonly password: string } | undefined;
}

export type ChosenProxy =
  | UpstreamProxy
  | { readonly kind: 'direct' }
  | { readonly kind: 'unusable'; readonly variable: string; readonly reason: string };

interface Protocol {
  readonly protocol: UpstreamProxy['protocol'];
  readonly port: number;
}

const protocols: ReadonlyMap<string, Protocol> = new Map([
  ['http:', { protocol: 'http', port: 80 }],
  ['https:', { protocol: 'https', port: 443 }],
  ['socks5:', { protocol: 'socks5', port: 1080 }],
  ['socks5h:', { protocol: 'socks5', port: 1080 }],
  ['socks:', { protocol: 'socks5', port: 1080 }],
]);

/**
 * Reads `http://user:password@proxy.example:3128`; without a scheme it is an HTTP proxy. Reasons never repeat the text:
 * it may hold a password.
 */
export function parseProxy(variable: string, text: string): ChosenProxy {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`);
  if (url === null) return { kind: 'unusable', variable, reason: 'it is no URL' };
  const known = protocols.get(url.protocol);
  if (known === undefined) return { kind: 'unusable', variable, reason: `${url.protocol}// proxies are not supported` };
  const host = normaliseHost(url.hostname)?.text;
  if (host === undefined) return { kind: 'unusable', variable, reason: 'it names no host' };
  const credentials = credentialsOf(url);
  if (credentials === 'broken')
    return {
      kind: 'unusable',
      variable,
      reason: 'its user or password is not percent-encoded, too long, or has control characters',
    };
  return {
    kind: 'proxy',
    protocol: known.protocol,
    host,
    port: url.port === '' ? known.port : Number(url.port),
    variable,
    credentials: () => credentials,
  };
}

function credentialsOf({
  username,
  password,
}: URL): { readonly user: string; readonly password: string } | undefined | 'broken' {
  if (username === '' && password === '') return undefined;
  try {
    const credentials = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    return Object.values(credentials).some((text) => /\p{Cc}/u.test(text) || Buffer.byteLength(text) > 255)
      ? 'broken'
      : credentials;
  } catch {
    return 'broken';
  }
}
