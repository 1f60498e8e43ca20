import type { InterceptedConnection } from '../../egress/http/interceptor.ts';
import type { Destination, Refused } from '../../egress/types.ts';
import { boundToHost } from '../../policy/credentials/broker-for.ts';
import type { Detector, Hit, Masker, PhantomMode } from '../masking/types.ts';
import type { CredentialContext, PhantomOwner } from '../types.ts';
import { exposedSecret, misused, refusedWith } from './misuse.ts';
import { isOf } from './placed-credentials.ts';

/** Searches all traffic of one connection. */
export interface Watch {
  readonly context: CredentialContext;
  readonly connection: InterceptedConnection;
  readonly detector: Detector;
  readonly masker: Masker;
  /**
   * Reaction to phantoms in content. With `cover`, an agent can send its model the output of `env`, which `stop` would
   * refuse.
   */
  readonly phantoms: PhantomMode;
  /**
   * Destinations of the session that received a secret, by `destinationText`. They may reflect the secret even after
   * its credential has left the policy.
   */
  readonly given: Set<string>;
}

export function destinationText({ host, port }: Destination): string {
  return `${host} ${port}`;
}

/** Raises the alarm for content that must not leave, and returns the refusal. `place` names the part in words. */
export function stop({ context, connection: { destination } }: Watch, hit: Hit, place: string): Refused {
  if (hit.kind === 'secret') {
    context.alarm({ kind: 'secret-outbound', credential: hit.credential, destination, place });
    return refusedWith(exposedSecret(hit.credential, { destination, place }));
  }
  const { credential, state } = hit.owner;
  const kind =
    state === 'revoked'
      ? 'phantom-revoked'
      : isBoundTo(destination, hit.owner, context)
        ? 'phantom-misplaced'
        : 'phantom-unbound';
  context.alarm({ kind, credential, destination, place });
  return refusedWith(misused(kind, credential, { destination, place }));
}

function isBoundTo({ host, port }: Destination, owner: PhantomOwner, { credentials }: CredentialContext): boolean {
  return credentials.some((credential) => isOf(credential, owner) && boundToHost(credential, { host, port }));
}
