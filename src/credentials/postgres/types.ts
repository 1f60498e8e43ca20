import type { BrokerWays } from '../../egress/types.ts';
import { type Credential, groupOf } from '../../policy/credentials/types.ts';
import { createMasker } from '../masking/masker.ts';
import { createDetector, type Masking } from '../masking/types.ts';
import type { AlarmKind, CredentialContext } from '../types.ts';
import { alarmOf } from '../wire/stream-screen.ts';
import type { CancelKeys } from './login/cancel-keys.ts';
import type { Screen } from './relay/relay.ts';

export type PostgresCredential = Credential & {
  readonly injection: Extract<Credential['injection'], { readonly kind: 'postgres' }>;
};

/** The parts that all steps of serving one connection share. */
export interface Served {
  readonly credential: PostgresCredential;
  readonly context: CredentialContext;
  readonly keys: CancelKeys;
  readonly ways: BrokerWays;
}

/** Ends the connection if the box sends a phantom or a real secret, and masks real secrets in answers. */
export function createScreen(credential: Credential, context: CredentialContext, ways: BrokerWays): Screen {
  const known = (): ReturnType<typeof context.secrets.known> => context.secrets.known();
  const detecting = createDetector({ registry: context.registry, known }).open();
  const masker = createMasker({ known });
  const alarm = (kind: AlarmKind, name: string): void =>
    context.alarm({ kind, credential: name, destination: ways.destination, place: 'a message of the database' });
  const reflected = (name: string): void => alarm('secret-reflected', name);
  /** State of an incomplete message. Undefined between messages. */
  let masking: Masking | undefined;

  return {
    outgoing(chunk) {
      const detected = detecting.push(chunk);
      if (detected.kind === 'clear') return { kind: 'passed', bytes: detected.bytes };
      const kind = alarmOf(detected.hit, groupOf(credential));
      const name = detected.hit.kind === 'phantom' ? detected.hit.owner.credential : detected.hit.credential;
      const message =
        detected.hit.kind === 'phantom'
          ? `a message to the database held the phantom of the credential "${name}"`
          : `a message to the database held the secret of the credential "${name}"`;
      const remedy = 'a phantom works only as the password of its own service';
      alarm(kind, name);
      ways.refused({ code: detected.hit.kind === 'phantom' ? 'phantom-misused' : 'secret-exposed', message, remedy });
      return { kind: 'refused', error: { severity: 'FATAL', code: '42501', message, remedy } };
    },
    incoming(pieces, isBetween) {
      const [only] = pieces;
      // This is the usual case: whole messages without a secret.
      if (masking === undefined && isBetween && (only === undefined || (pieces.length === 1 && !masker.holds(only))))
        return pieces;
      const open = (masking ??= masker.open(reflected));
      const masked = pieces.map((piece) => open.push(piece));
      if (!isBetween) return masked.filter(isSome);
      masking = undefined;
      return [...masked, open.end()].filter(isSome);
    },
  };
}

function isSome(piece: Buffer): boolean {
  return piece.length > 0;
}
