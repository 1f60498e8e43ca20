/**
 * Hosts that a client in the box may mean by loopback. A service listens on one family, and a client tries one first.
 */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '::1'];

/**
 * `localhost` and all names below it are the box's own loopback. No policy and no name server changes that (RFC 6761
 * §6.3).
 */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Returns true if a client that asks for `name` means the host of its connection. Both are in the one spelling. The box
 * resolves `localhost` to an address like any name, so the names of the loopback count as one host.
 */
export function meansHost(name: string, host: string): boolean {
  return name === host || (loopbackHosts.includes(host) && (isLocalhost(name) || loopbackHosts.includes(name)));
}
