import type { Address } from '../normalise/address.ts';
import { normaliseHost } from '../normalise/host.ts';
import type { HostMatcher, HostPattern } from './host-pattern.ts';

/**
 * Whether a pattern spells out where it leads: one address, a network, or `localhost`. A name does not, because whoever
 * holds the name decides what it answers; neither does `any`, nor a network of everything.
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

/** Whether it is about loopback addresses alone. */
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
