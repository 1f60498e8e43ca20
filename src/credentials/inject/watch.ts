import type { InterceptedConnection } from '../../egress/http/interceptor.ts';
import type { Destination, Refused } from '../../egress/types.ts';
import { boundToHost } from '../../policy/credentials/broker-for.ts';
import type { Detector, Hit, Masker, PhantomMode } from '../masking/types.ts';
import type { CredentialContext, PhantomOwner } from '../types.ts';
import { exposedSecret, misused, refusedWith } from './misuse.ts';
import { isOf } from './placed-credentials.ts';

/** What everything on one connection is looked at with. */
export interface Watch {
  readonly context: CredentialContext;
  readonly connection: InterceptedConnection;
  readonly detector: Detector;
  readonly masker: Masker;
  /** What becomes of phantoms in content. A model that is told what `env` prints would end its agent otherwise. */
  readonly phantoms: PhantomMode;
  /**
   * Destinations of the session that a secret went out to, by `nameOf`. One may come back from there also when its
   * credential is gone from the policy.
   */
  readonly given: Set<string>;
}

export function destinationText({ host, port }: Destination): string {
  return `${host} ${port}`;
}

/** Raises the alarm for something that must not leave, and says why it does not. `place` is in words. */
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
