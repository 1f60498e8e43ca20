import { normaliseHost } from '../../policy/index.ts';

/**
 * The host that a name of a message means, in the one spelling that policies are asked with; undefined for the root, for
 * names with bytes that no host name has, and for those that are addresses (`127.1`, `0x7f000001`): a policy would
 * read them as something that the name servers of the world do not.
 */
export function hostNameOf(wireText: string): string | undefined {
  const host = normaliseHost(wireText);
  return host === undefined || host.address !== undefined ? undefined : host.text;
}
