import type { Duplex } from 'node:stream';
import type { Broker, BrokerWays } from '../../egress/types.ts';
import { groupOf } from '../../policy/credentials/types.ts';
import type { CredentialContext } from '../types.ts';
import { type Ends, serveEnds } from '../wire/serve-ends.ts';
import { createCancelKeys } from './login/cancel-keys.ts';
import { establish, type PostgresSession } from './login/establish.ts';
import { greet, PostgresLoginFailure } from './login/greet.ts';
import { type LoggedIn, openPostgres, type UpstreamTls } from './login/log-in.ts';
import {
  authenticationRequest,
  backendKeyData,
  cancelRequest,
  errorResponse,
  message,
  readyForQuery,
} from './protocol/types.ts';
import { ProtocolViolation } from './protocol/walker.ts';
import { createAssertion } from './read-only/assertion.ts';
import { PostgresRelay } from './relay/relay.ts';
import { createScreen, type PostgresCredential, type Served } from './types.ts';

/** Serves one connection to its end. It is either a session or a cancel request. Never rejects. */
function serveClient(raw: Duplex, served: Served): Promise<void> {
  return serveEnds(raw, {
    logIn: (ends) => logIn(ends, served),
    fail: (client, error) => tell(client, failureOf(error), served),
  });
}

async function logIn(ends: Ends, served: Served): Promise<(() => Promise<void>) | undefined> {
  const greeted = await greet(ends, served.ways);
  if (greeted.kind === 'cancel') await served.keys.find(greeted.processId, greeted.key)?.();
  if (greeted.kind !== 'login') return undefined;
  const session = await establish(greeted, ends, served);
  return () => startRelay(session, served);
}

/** Returns the failure for the client. If the connection is broken, the client does not receive it. */
function failureOf(error: unknown): PostgresLoginFailure {
  if (error instanceof PostgresLoginFailure) return error;
  const reason =
    error instanceof ProtocolViolation ? `the client broke the protocol: ${error.message}` : 'the connection broke';
  return new PostgresLoginFailure({
    code: '08P01',
    message: reason,
    remedy: 'connect again, with a client of PostgreSQL and without sslnegotiation=direct',
  });
}

function tell(client: Duplex, failure: PostgresLoginFailure, { credential, context, ways }: Served): void {
  if (client.writable) client.end(errorResponse(failure.error));
  const { refusal } = failure;
  if (refusal === undefined) return;
  ways.refused(refusal);
  const common = { destination: ways.destination, place: 'the login' };
  if (refusal.code === 'phantom-misused')
    context.alarm({ ...common, kind: 'phantom-revoked', credential: groupOf(credential) });
  if (refusal.code === 'foreign-credential') context.alarm({ ...common, kind: 'foreign-credential', credential: '' });
}

/** Tells the client that it is logged in, and relays messages until the connection ends. */
async function startRelay(session: PostgresSession, { credential, context, keys, ways }: Served): Promise<void> {
  const { client, clientReader, loggedIn, user, database, said } = session;
  const { mode, tls, maxRows, maxBytes } = credential.injection;
  const screen = createScreen(credential, context, ways);
  context.used(credential.name, ways.destination);
  ways.record({ kind: 'session', user, database, mode });
  const issued = keys.issue(loggedIn.processId, () => running.cancel());
  const settings = screen.incoming(
    said.map(({ type, body }) => message(type, body)),
    true,
  );
  client.write(
    Buffer.concat([
      authenticationRequest('ok'),
      ...settings,
      backendKeyData(loggedIn.processId, issued.key),
      readyForQuery('I'),
    ]),
  );
  clientReader.detach();
  loggedIn.reader.detach();
  const running = new PostgresRelay({
    client,
    server: loggedIn.server,
    credential: credential.name,
    caps: { ...(maxRows !== undefined && { maxRows }), ...(maxBytes !== undefined && { maxBytes }) },
    ...(mode === 'read-only' && { assertion: createAssertion() }),
    screen,
    statement: (text, decision, outcome) => ways.record({ kind: 'statement', text, decision, outcome }),
    cancel: () => cancelUpstream(ways, tls, loggedIn),
  });
  try {
    await running.ended;
  } finally {
    issued.revoke();
  }
}

/** Milliseconds for a server to accept a cancel request. */
const patience = 10_000;

/**
 * Sends a cancel request and waits until the server closes the connection. It does so after it has signalled its
 * process. Never rejects.
 */
async function cancelUpstream(
  ways: BrokerWays,
  tls: UpstreamTls,
  { processId, cancelKey }: Pick<LoggedIn, 'processId' | 'cancelKey'>,
): Promise<void> {
  try {
    const server = await openPostgres(ways, tls);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => server.destroy(), patience);
      server.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      server.on('error', () => undefined).on('end', () => server.destroy());
      server.write(cancelRequest(processId, cancelKey));
      server.resume();
    });
  } catch {
    // A cancel request has no answer. A statement that cannot be cancelled runs on, as it would without Holdfast.
  }
}

/**
 * Creates a broker between the clients of a box and a PostgreSQL server. Clients log in with the phantom, the broker
 * logs in with the secret, and the journal records every statement. In `read-only` mode nothing is written, even if the
 * role may write. Each credential of a session has one broker, because cancel requests arrive on separate connections,
 * with keys that the broker issued.
 */
export function createPostgresBroker(credential: PostgresCredential, context: CredentialContext): Broker {
  const keys = createCancelKeys();
  return { name: 'postgres', serve: (client, ways) => serveClient(client, { credential, context, keys, ways }) };
}
