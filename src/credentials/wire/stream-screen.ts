import type { BrokerWays, EgressRefusal } from '../../egress/types.ts';
import { groupOf } from '../../policy/credentials/group-of.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import { createMasker } from '../masking/masker.ts';
import { createDetector, type Hit } from '../masking/types.ts';
import type { AlarmKind, CredentialContext } from '../types.ts';

export type ScreenedBytes =
  | { readonly kind: 'passed'; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly refusal: EgressRefusal };

/**
 * Looks for phantoms and secrets in one connection, after its login. What it holds back may be the beginning of one.
 */
export interface StreamScreen {
  /** What the client says. A refusal stands in the journal, with its alarm. */
  outgoing(bytes: Buffer): ScreenedBytes;
  /** What the server says: real secrets are masked, in the length that they have. */
  incoming(bytes: Buffer): Buffer;
  /** What was held back of the server's, when it has ended. */
  lastIncoming(): Buffer;
}

export interface StreamScreenOptions {
  readonly credential: Credential;
  readonly context: CredentialContext;
  readonly ways: BrokerWays;
  /** Where it is found, for alarms and messages: `a message of the database`. */
  readonly place: string;
}

export function createStreamScreen({ credential, context, ways, place }: StreamScreenOptions): StreamScreen {
  const known = (): ReturnType<typeof context.secrets.known> => context.secrets.known();
  const detecting = createDetector({ registry: context.registry, known }).open();
  const alarm = (kind: AlarmKind, name: string): void =>
    context.alarm({ kind, credential: name, destination: ways.destination, place });
  const masking = createMasker({ known }).open((name) => alarm('secret-reflected', name));
  return {
    outgoing(bytes) {
      const detected = detecting.push(bytes);
      if (detected.kind === 'clear') return { kind: 'passed', bytes: detected.bytes };
      const { hit } = detected;
      const name = hit.kind === 'phantom' ? hit.owner.credential : hit.credential;
      const refusal: EgressRefusal = {
        code: hit.kind === 'phantom' ? 'phantom-misused' : 'secret-exposed',
        message: `${place} held ${hit.kind === 'phantom' ? 'the phantom' : 'the secret'} of the credential "${name}"`,
        remedy: 'a phantom works only as the password of its own service',
      };
      alarm(alarmOf(hit, groupOf(credential)), name);
      ways.refused(refusal);
      return { kind: 'refused', refusal };
    },
    incoming: (bytes) => masking.push(bytes),
    lastIncoming: () => masking.end(),
  };
}

/** What a phantom or a secret means in what a client of the credential group `own` says. */
export function alarmOf(hit: Hit, own: string): AlarmKind {
  if (hit.kind === 'secret') return 'secret-outbound';
  if (hit.owner.state === 'revoked') return 'phantom-revoked';
  return hit.owner.credential === own ? 'phantom-misplaced' : 'phantom-unbound';
}
