import type { Duplex } from 'node:stream';
import type { BrokerWays } from '../../egress/index.ts';
import { type Credential, groupOf } from '../../policy/index.ts';
import type { CredentialContext } from '../types.ts';
import { type Ends, serveEnds } from '../wire/index.ts';
import type { CancelKeys } from './login/cancel-keys.ts';
import { establish } from './login/establish.ts';
import { LoginFailure } from './login/failure.ts';
import { greet } from './login/greet.ts';
import { errorResponse } from './protocol/write.ts';
import { ProtocolViolation } from './protocol/violation.ts';
import { startRelay } from './start-relay.ts';

export type PostgresCredential = Credential & { readonly injection: Extract<Credential['injection'], { readonly kind: 'postgres' }> };

export interface Served {
  readonly credential: PostgresCredential;
  readonly context: CredentialContext;
  readonly keys: CancelKeys;
  readonly ways: BrokerWays;
}

/** Serves one connection to its end: a session, or a cancel request. Never rejects. */
export function serveClient(raw: Duplex, served: Served): Promise<void> {
  return serveEnds(raw, { logIn: (ends) => logIn(ends, served), fail: (client, error) => tell(client, failureOf(error), served) });
}

async function logIn(ends: Ends, served: Served): Promise<(() => Promise<void>) | undefined> {
  const greeted = await greet(ends, served.ways);
  if (greeted.kind === 'cancel') await served.keys.find(greeted.processId, greeted.key)?.();
  if (greeted.kind !== 'login') return undefined;
  const session = await establish(greeted, ends, served);
  return () => startRelay(session, served);
}

/** Of what the client said; where its connection broke nobody is left to hear it. */
function failureOf(error: unknown): LoginFailure {
  if (error instanceof LoginFailure) return error;
  const reason = error instanceof ProtocolViolation ? `the client broke the protocol: ${error.message}` : 'the connection broke';
  return new LoginFailure({ code: '08P01', message: reason, remedy: 'connect again, with a client of PostgreSQL and without sslnegotiation=direct' });
}

function tell(client: Duplex, failure: LoginFailure, { credential, context, ways }: Served): void {
  if (client.writable) client.end(errorResponse(failure.error));
  const { refusal } = failure;
  if (refusal === undefined) return;
  ways.refused(refusal);
  const common = { destination: ways.destination, place: 'the login' };
  if (refusal.code === 'phantom-misused') context.alarm({ ...common, kind: 'phantom-revoked', credential: groupOf(credential) });
  if (refusal.code === 'foreign-credential') context.alarm({ ...common, kind: 'foreign-credential', credential: '' });
}
