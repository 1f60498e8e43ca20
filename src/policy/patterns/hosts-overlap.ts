import { formatAddress } from '../normalise/address.ts';
import { normaliseHost } from '../normalise/host.ts';
import { hostCovers } from './covers.ts';
import { hostIndex } from './host-index.ts';
import type { HostMatcher, HostPattern, PortRange } from './host-pattern.ts';

/** Whether some host and port match both patterns. */
export function hostsOverlap(a: HostPattern, b: HostPattern): boolean {
  return portsOverlap(a.ports, b.ports) && (covers(a, b) || covers(b, a));
}

function portsOverlap(a: PortRange | undefined, b: PortRange | undefined): boolean {
  return a === undefined || b === undefined || (a.from <= b.to && b.from <= a.to);
}

/** Two sets of names, or two networks, are disjoint or nested. So checking one member is enough. */
function covers(a: HostPattern, b: HostPattern): boolean {
  if (hostCovers(onEveryPort(a), onEveryPort(b))) return true;
  return membersOf(b.host).some((member) => matches(a, member));
}

/** One address of each block of a pattern. */
function membersOf(host: HostMatcher): readonly string[] {
  switch (host.kind) {
    case 'network':
      return [formatAddress(host.address)];
    case 'localhost':
      return ['localhost', '127.0.0.0', '::1'];
    case 'exact':
      return [host.text];
    case 'any':
    case 'subdomains':
      return [];
  }
}

function matches(pattern: HostPattern, member: string): boolean {
  const host = normaliseHost(member);
  const index = hostIndex<true, undefined>([{ pattern: onEveryPort(pattern), order: 0, value: true }]);
  return host !== undefined && index.first(host, 1, undefined) !== undefined;
}

function onEveryPort({ kind, source, host }: HostPattern): HostPattern {
  return { kind, source, host };
}
