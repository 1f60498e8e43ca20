/**
 * Hosts that a client in the box may mean by loopback. A service listens on one address family, but a client may try
 * the other one first.
 */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '::1'];

/**
 * Returns true for `localhost` and all names below it. They mean the box's own loopback, and no policy or name server
 * changes that (RFC 6761 §6.3).
 */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Returns true if a client that asks for `name` means the host of its connection. Both are normalised. The box resolves
 * `localhost` to an address like any other name, so all names of the loopback count as one host.
 */
export function meansHost(name: string, host: string): boolean {
  return name === host || (loopbackHosts.includes(host) && (isLocalhost(name) || loopbackHosts.includes(name)));
}
