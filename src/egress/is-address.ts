import { isIPv4 } from 'node:net';

/**
 * Returns true if a host in the one spelling of `normaliseHost` is an address. A name never has a colon. `isIP` would
 * cost ten times as much for every connection.
 */
export function isAddress(host: string): boolean {
  return host.includes(':') || isIPv4(host);
}
