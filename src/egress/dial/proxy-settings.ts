import { normaliseHost } from '../../policy/normalise/host.ts';
import { networkContains, type Network } from '../ssrf/network.ts';
import type { Destination } from '../types.ts';

/** Purpose of a connection, as far as known. Each purpose has its own environment variables. */
export type ProxyFor = 'http' | 'https' | 'tcp';

/** Chooses the proxy for a destination, from the host's environment. */
export interface ProxySettings {
  choose(destination: Destination, use?: ProxyFor): ChosenProxy;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The first variable that is set counts, lower case first, as in curl. A connection without an HTTP scheme uses
 * ALL_PROXY alone, because programs such as ssh never read HTTPS_PROXY.
 */
const variables: Readonly<Record<ProxyFor, readonly string[]>> = {
  http: ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  tcp: ['all_proxy', 'ALL_PROXY'],
};

const uses: ReadonlyMap<number, ProxyFor> = new Map([
  [80, 'http'],
  [8080, 'http'],
  [443, 'https'],
  [8443, 'https'],
]);

/** Reads `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in both cases, from the environment of the host. */
export function proxySettings(environment: Environment): ProxySettings {
  const bypasses = noProxyOf(valueOf(environment, ['no_proxy', 'NO_PROXY']) ?? '');
  return {
    choose(destination, use = uses.get(destination.port) ?? 'tcp') {
      const name = variables[use].find((variable) => isSet(environment[variable]));
      if (name === undefined || bypasses(destination)) return { kind: 'direct' };
      return parseProxy(name, environment[name] ?? '');
    },
  };
}

function valueOf(environment: Environment, names: readonly string[]): string | undefined {
  const name = names.find((variable) => isSet(environment[variable]));
  return name === undefined ? undefined : environment[name];
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

type Test = (destination: Destination) => boolean;

/**
 * Parses `NO_PROXY`. An entry may be a name, which covers itself and all names below it, with or without a leading `.`
 * or `*.`. It may also be an address, a network such as `10.0.0.0/8`, or `*` for everything. Each entry may have a
 * `:port`. Commas or blanks separate them. An unreadable entry exempts no host.
 */
export function noProxyOf(text: string): Test {
  const tests = text.split(/[\s,]+/).flatMap((entry) => testOf(entry) ?? []);
  return (destination) => tests.some((test) => test(destination));
}

function testOf(entry: string): Test | undefined {
  if (entry === '') return undefined;
  if (entry === '*') return () => true;
  const { hostText, port } = splitPort(entry);
  const test = hostTest(hostText);
  if (test === undefined) return undefined;
  return (destination) => (port === undefined || destination.port === port) && test(destination.host);
}

/** A bare IPv6 address is full of colons, so one with a port is in brackets. */
function splitPort(entry: string): { readonly hostText: string; readonly port?: number } {
  const match = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(entry);
  return match === null ? { hostText: entry } : { hostText: match[1] ?? '', port: Number(match[2]) };
}

function hostTest(text: string): ((host: string) => boolean) | undefined {
  const network = networkOf(text);
  if (network !== undefined) return (host) => isIn(network, host);
  const host = normaliseHost(text.replace(/^\*?\./, ''));
  if (host === undefined) return undefined;
  return (other) => other === host.text || (host.address === undefined && other.endsWith(`.${host.text}`));
}

function networkOf(text: string): Network | undefined {
  const [base = '', prefixText = '', ...more] = text.split('/');
  const address = normaliseHost(base)?.address;
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN;
  if (address === undefined || more.length > 0 || !(prefix <= (address.kind === 'v4' ? 32 : 128))) return undefined;
  return { address, prefix };
}

function isIn(network: Network, host: string): boolean {
  const address = normaliseHost(host)?.address;
  return address !== undefined && networkContains(network, address);
}

export interface UpstreamProxy {
  readonly kind: 'proxy';
  /** `https`: TLS up to the proxy. `socks5`: RFC 1928. */
  readonly protocol: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  /** The environment variable that named this proxy, for messages. */
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
 * Parses `http://user:password@proxy.example:3128`. Without a scheme it is an HTTP proxy. A reason never repeats the
 * text, because it may hold a password.
 */
export function parseProxy(variable: string, text: string): ChosenProxy {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`);
  if (url === null) return { kind: 'unusable', variable, reason: 'it is not a URL' };
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
