import { type HostAndPort, normaliseHost } from '../normalise/host.ts';
import { normaliseUrlPath } from '../normalise/url-path.ts';
import { hostIndex } from '../patterns/host-index.ts';
import { compileWildcard, matchesWildcard } from '../patterns/wildcard.ts';
import type { Policy } from '../policy.ts';
import { credentialsOf } from './credentials-of.ts';
import { injectionRows } from './injection-kinds.ts';
import type { Credential } from './types.ts';

/**
 * Returns the credential for a database at this host and port. Holdfast's broker speaks the database's protocol for the
 * box.
 */
export function brokerFor(policy: Policy, destination: HostAndPort): Credential | undefined {
  return credentialsOf(policy).find((credential) => isBrokered(credential) && boundToHost(credential, destination));
}

export function isBrokered({ injection }: Pick<Credential, 'injection'>): boolean {
  return injectionRows[injection.kind].protocol !== 'http';
}

export interface BoundRequest extends HostAndPort {
  readonly method: string;
  /** Every way in which a server could read the path, without its query. */
  readonly paths: readonly string[];
}

/**
 * Whether a credential fits a request, by the same matching as `[[http]]` rules. Methods ignore case. In paths,
 * unreserved characters are decoded and dot segments resolved. A path with several readings must match in every one.
 */
export function boundTo(credential: Pick<Credential, 'binding'>, { host, port, method, paths }: BoundRequest): boolean {
  const { binding } = credential;
  if (!boundToHost(credential, { host, port })) return false;
  if (binding.methods !== undefined && !binding.methods.includes(method.toUpperCase())) return false;
  if (binding.paths === undefined) return true;
  const globs = binding.paths.map(compileWildcard);
  return paths.length > 0 && paths.every((path) => globs.some((glob) => matchesWildcard(glob, normaliseUrlPath(path))));
}

/** Whether a credential fits some request to a host. */
export function boundToHost({ binding }: Pick<Credential, 'binding'>, { host: text, port }: HostAndPort): boolean {
  const host = normaliseHost(text);
  if (host === undefined) return false;
  const index = hostIndex(binding.hosts.map((pattern, order) => ({ pattern, order, value: true })));
  return index.first(host, port, undefined) !== undefined;
}
