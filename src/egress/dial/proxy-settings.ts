import { normaliseHost } from '../../policy/index.ts';
import { contains, type Network } from '../ssrf/network.ts';
import type { Destination } from '../types.ts';
import { type ChosenProxy, parseProxy } from './parse-proxy.ts';

export type { ChosenProxy } from './parse-proxy.ts';

/** What a connection is for, as far as it is known: the variables of the environment tell schemes apart. */
export type ProxyFor = 'http' | 'https' | 'tcp';

/** Which proxy of the host's environment a destination is reached through. */
export interface ProxySettings {
  choose(destination: Destination, use?: ProxyFor): ChosenProxy;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The first that is set counts; lower case first, as curl reads them. A program without a scheme asks ALL_PROXY alone:
 * no ssh ever asked HTTPS_PROXY.
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
 * Reads `NO_PROXY`: names, which stand for themselves and all below them, with or without a leading `.` or `*.`;
 * addresses; networks as `10.0.0.0/8`; each with an optional `:port`; `*` for everything. Entries are parted by commas
 * or blanks. What cannot be read bypasses nothing.
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

/** A bare IPv6 address is full of colons; with a port it stands in brackets. */
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
  return address !== undefined && contains(network, address);
}
