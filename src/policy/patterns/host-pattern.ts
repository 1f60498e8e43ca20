import { type Address, parseV6 } from '../normalise/address.ts';
import { normaliseHost } from '../normalise/host.ts';
import { type PatternProblem, patternProblem } from './command-pattern.ts';

/** A host and port pattern, as in a policy. */
export interface HostPattern {
  readonly kind: 'host';
  readonly source: string;
  readonly host: HostMatcher;
  /** Undefined for every port. */
  readonly ports?: PortRange;
}

export type HostMatcher =
  | { readonly kind: 'any' }
  /** One name or one address. */
  | { readonly kind: 'exact'; readonly text: string }
  /** `localhost` by name, and every loopback address. */
  | { readonly kind: 'localhost' }
  /** Every name below it, but not itself. */
  | { readonly kind: 'subdomains'; readonly suffix: string }
  | { readonly kind: 'network'; readonly address: Address; readonly prefix: number };

/** Both ends are included. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

const highestPort = 65_535;

/**
 * Parses `name`, `*.name`, `address`, `network/prefix`, `localhost` or `any`, each with an optional `:port` or
 * `:from-to`.
 */
export function parseHostPattern(source: string): HostPattern | PatternProblem {
  if (source.includes('://')) return patternProblem(`"${source}" is a URL`, 'write only its host name');
  const split = splitPort(source);
  if (split === undefined)
    return patternProblem(
      `"${source}" has no usable port`,
      'write a port from 1 to 65535, or a range such as 8000-8100',
    );
  const host = matcherOf(split.host);
  if (host.kind === 'problem') return host;
  return split.ports === undefined
    ? { kind: 'host', source, host }
    : { kind: 'host', source, host, ports: split.ports };
}

function splitPort(source: string): { readonly host: string; readonly ports?: PortRange } | undefined {
  const bracketed = /^(\[[^\]]*\])(?::(.*))?$/.exec(source);
  const plain = /^([^:]*)(?::([^:]*))?$/.exec(source);
  const match = bracketed ?? plain;
  if (match === null) return { host: source };
  const [, host = '', port] = match;
  if (port === undefined) return { host };
  const ports = parsePorts(port);
  return ports === undefined ? undefined : { host, ports };
}

/** Parses `443` or `8000-8100`. */
export function parsePorts(text: string): PortRange | undefined {
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text);
  if (match === null) return undefined;
  const from = Number(match[1]);
  const to = Number(match[2] ?? match[1]);
  return from >= 1 && to <= highestPort && from <= to ? { from, to } : undefined;
}

function matcherOf(text: string): HostMatcher | PatternProblem {
  if (text === 'any') return { kind: 'any' };
  if (text === '*')
    return patternProblem('"*" would open the whole network', 'write "any" if that is meant, or name the hosts');
  if (text.includes('/')) return networkOf(text);
  if (text.startsWith('*.')) return subdomainsOf(text);
  const host = normaliseHost(text);
  if (host === undefined) return hostProblem(text);
  return host.text === 'localhost' ? { kind: 'localhost' } : { kind: 'exact', text: host.text };
}

function hostProblem(text: string): PatternProblem {
  if (text.includes('*'))
    return patternProblem(
      `"${text}" has a wildcard inside`,
      'a wildcard stands for whole labels at the front: "*.example.com"',
    );
  return patternProblem(
    `"${text}" is not a host name or an address`,
    'write example.com, *.example.com, 192.0.2.1, [2001:db8::1] or 10.0.0.0/8',
  );
}

function subdomainsOf(text: string): HostMatcher | PatternProblem {
  const host = normaliseHost(text.slice(2));
  if (host === undefined || host.address !== undefined) return hostProblem(text);
  return { kind: 'subdomains', suffix: host.text };
}

function networkOf(text: string): HostMatcher | PatternProblem {
  const [address = '', prefixText = '', ...more] = text.replace(/^\[(.*)\]$/, '$1').split('/');
  const host = normaliseHost(address);
  if (host?.address?.kind === 'v4' && parseV6(address) !== undefined) {
    return patternProblem(`"${text}" is a network of mapped addresses`, 'write the IPv4 network itself');
  }
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN;
  if (host?.address === undefined || more.length > 0 || !(prefix <= widthOf(host.address))) {
    return patternProblem(`"${text}" is not a network`, 'write it as 10.0.0.0/8 or 2001:db8::/32');
  }
  return { kind: 'network', address: host.address, prefix };
}

function widthOf(address: Address): number {
  return address.kind === 'v4' ? 32 : 128;
}

/**
 * Whether a pattern spells its addresses out: one address, a network, or `localhost`. A name does not, because its
 * owner decides its addresses. `any` and a network of everything do not either.
 */
export function namesAddresses({ host }: HostPattern): boolean {
  switch (host.kind) {
    case 'localhost':
      return true;
    case 'network':
      return host.prefix > 0;
    case 'exact':
      return addressOf(host) !== undefined;
    case 'any':
    case 'subdomains':
      return false;
  }
}

/** Whether a pattern covers only loopback addresses. */
export function isLoopbackPattern({ host }: HostPattern): boolean {
  if (host.kind === 'localhost') return true;
  if (host.kind === 'network') return isLoopback(host.address) && host.prefix >= (host.address.kind === 'v4' ? 8 : 128);
  const address = addressOf(host);
  return address !== undefined && isLoopback(address);
}

function addressOf(host: HostMatcher): Address | undefined {
  return host.kind === 'exact' ? normaliseHost(host.text)?.address : undefined;
}

/** RFC 1122 §3.2.1.3 and RFC 4291 §2.5.3. */
function isLoopback(address: Address): boolean {
  return address.kind === 'v4'
    ? address.bits >>> 24 === 127
    : address.groups.every((group, index) => group === (index === 7 ? 1 : 0));
}
