/** What a client in the box may mean by its host. A service listens on one family, and a client tries one first. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '::1'];

/** `localhost` and all below it is the box's own loopback, whatever a policy or a name server says (RFC 6761 §6.3). */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Whether a client that asks for `name` means the host that its connection goes to. Both are in the one spelling. In
 * the box `localhost` is looked up as an address like every name, so that the names of the loopback are one host.
 */
export function meansHost(name: string, host: string): boolean {
  return name === host || (loopbackHosts.includes(host) && (isLocalhost(name) || loopbackHosts.includes(name)));
}
