import { isIPv4 } from 'node:net';

/**
 * Returns true if a host in the one spelling of `normaliseHost` is an address. No name has a colon in it. `isIP` costs
 * ten times as much, for every connection.
 */
export function isAddress(host: string): boolean {
  return host.includes(':') || isIPv4(host);
}
