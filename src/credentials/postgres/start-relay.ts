import { cancelUpstream } from './login/cancel.ts';
import type { Session } from './login/establish.ts';
import { authenticationRequest, backendKeyData, message, readyForQuery } from './protocol/write.ts';
import { createScreen } from './create-screen.ts';
import { createAssertion } from './read-only/assertion.ts';
import { Relay } from './relay/relay.ts';
import type { Served } from './serve-client.ts';

/** Tells the client that it is in, and carries messages to the end of the connection. */
export async function startRelay(session: Session, { credential, context, keys, ways }: Served): Promise<void> {
  const { client, clientReader, loggedIn, user, database, said } = session;
  const { mode, tls, maxRows, maxBytes } = credential.injection;
  const screen = createScreen(credential, context, ways);
  context.used(credential.name, ways.destination);
  ways.record({ kind: 'session', user, database, mode });
  const issued = keys.issue(loggedIn.processId, () => running.cancel());
  const settings = screen.incoming(said.map(({ type, body }) => message(type, body)), true);
  client.write(Buffer.concat([authenticationRequest('ok'), ...settings, backendKeyData(loggedIn.processId, issued.key), readyForQuery('I')]));
  clientReader.detach();
  loggedIn.reader.detach();
  const running = new Relay({
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
