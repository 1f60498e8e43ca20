import type { BrokerWays, EgressRefusal } from '../../egress/types.ts';
import { type Credential, groupOf } from '../../policy/credentials/types.ts';
import { createMasker } from '../masking/masker.ts';
import { createDetector, type Hit } from '../masking/types.ts';
import type { AlarmKind, CredentialContext } from '../types.ts';

export type ScreenedBytes =
  | { readonly kind: 'passed'; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly refusal: EgressRefusal };

/** Searches one connection for phantoms and secrets, after its login. Keeps bytes back that may begin one. */
export interface StreamScreen {
  /** Screens bytes of the client. A refusal is already in the journal, with an alarm. */
  outgoing(bytes: Buffer): ScreenedBytes;
  /** Masks real secrets in bytes of the server, without changing their length. */
  incoming(bytes: Buffer): Buffer;
  /** Returns the bytes of the server that were kept back, after its end. */
  lastIncoming(): Buffer;
}

export interface StreamScreenOptions {
  readonly credential: Credential;
  readonly context: CredentialContext;
  readonly ways: BrokerWays;
  /** Describes where a hit was found, for alarms and messages, such as `a message of the database`. */
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

/** Returns the alarm for a phantom or secret that a client of the credential group `own` sent. */
export function alarmOf(hit: Hit, own: string): AlarmKind {
  if (hit.kind === 'secret') return 'secret-outbound';
  if (hit.owner.state === 'revoked') return 'phantom-revoked';
  return hit.owner.credential === own ? 'phantom-misplaced' : 'phantom-unbound';
}
