import { isIPv4 } from 'node:net';

/**
 * Whether a host in the one spelling of `normaliseHost` is an address: no name has a colon in it. `isIP` costs ten
 * times as much, for every connection.
 */
export function isAddress(host: string): boolean {
  return host.includes(':') || isIPv4(host);
}
