import type { Policy } from '../policy.ts';
import type { HostAndPort } from '../settings/host-and-port.ts';
import { boundToHost } from './bound-to.ts';
import { credentialsOf } from './credentials-of.ts';
import { injectionRows } from './injection-kinds.ts';
import type { Credential } from './types.ts';

/** The credential of a database at this host and port, whose protocol is spoken on behalf of the box. */
export function brokerFor(policy: Policy, destination: HostAndPort): Credential | undefined {
  return credentialsOf(policy).find((credential) => isBrokered(credential) && boundToHost(credential, destination));
}

export function isBrokered({ injection }: Pick<Credential, 'injection'>): boolean {
  return injectionRows[injection.kind].protocol !== 'http';
}
