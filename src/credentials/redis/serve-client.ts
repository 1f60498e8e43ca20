import type { Duplex } from 'node:stream';
import type { BrokerWays } from '../../egress/index.ts';
import type { Credential } from '../../policy/index.ts';
import type { CredentialContext, Secret } from '../types.ts';
import { type Ends, serveEnds, type TurnEnd } from '../wire/index.ts';
import type { Named } from './commands/command-finder.ts';
import type { NameIndex } from './commands/name-index.ts';
import { admit } from './login/admit.ts';
import { commandReader } from './login/command-reader.ts';
import { LoginFailure } from './login/failure.ts';
import { logIn } from './login/upstream.ts';
import { RespViolation } from './protocol/violation.ts';
import { writeError } from './protocol/write.ts';
import type { StatementBudget } from './relay/statement-budget.ts';
import { startRelay } from './start-relay.ts';

export type RedisCredential = Credential & { readonly injection: Extract<Credential['injection'], { readonly kind: 'redis' }> };

export interface Served {
  readonly credential: RedisCredential;
  readonly context: CredentialContext;
  readonly finder: NameIndex<Named>;
  /** What goes to the server in the place of a command that is not known. */
  readonly unknown: Buffer;
  readonly budget: StatementBudget;
  readonly turn: TurnEnd;
  readonly ways: BrokerWays;
}

/** First octet of a TLS record that holds a ClientHello. Source: RFC 8446 §5.1. */
const handshakeRecord = 0x16;

/** Serves one connection to its end. Never rejects. */
export function serveClient(raw: Duplex, served: Served): Promise<void> {
  return serveEnds(raw, { logIn: async (ends) => ((await greet(ends, served.ways)) ? establish(ends, served) : undefined), fail: (client, error) => tell(client, error, served.ways) });
}

/** Ends TLS where the client begins with it. False: it has gone, or its TLS was refused. */
async function greet(ends: Ends, ways: BrokerWays): Promise<boolean> {
  const reader = commandReader(ends.client);
  const first = await reader.peek();
  reader.detach();
  if (first !== handshakeRecord) return first !== undefined;
  const secured = await ways.terminateTls(ends.client);
  if (secured.kind === 'secured') ends.client = secured.socket;
  return secured.kind === 'secured';
}

/** The client shows the phantom before anything of the server is touched; then we log in with the secret. Gives back what carries the rest. */
async function establish(ends: Ends, served: Served): Promise<(() => Promise<void>) | undefined> {
  const { credential, context, ways } = served;
  const { client } = ends;
  const reader = commandReader(client);
  const admitted = await admit({ client, reader, credential, context, ways });
  if (admitted === undefined) return undefined;
  const { value: password } = await secretOf(served);
  const user = credential.injection.user ?? admitted.user;
  const opened = (server: Duplex): void => {
    server.on('error', () => undefined);
    ends.server = server;
    if (client.destroyed) server.destroy();
  };
  const server = await logIn({ ways, tls: credential.injection.tls, credential: credential.name, user, password, opened });
  const said = await reader.rest();
  return () => startRelay({ client, said, server, admitted, user, password }, served);
}

async function secretOf({ credential, context }: Served): Promise<Secret> {
  const read = await context.secrets.read(credential);
  if (read.kind === 'unavailable') throw new LoginFailure({ code: 'ERR', message: read.message, remedy: read.remedy }, 'credential-unavailable');
  const isLine = !/[\r\n\0]/u.test(read.secret.value);
  if (!isLine) throw new LoginFailure({ code: 'ERR', message: `the secret of the credential "${credential.name}" has several lines, which no password of Redis has`, remedy: "check the credential's source" }, 'credential-unavailable');
  return read.secret;
}

function tell(client: Duplex, error: unknown, ways: BrokerWays): void {
  const [code, message] = wordsOf(error);
  if (client.writable) client.end(writeError(code, message));
  if (error instanceof LoginFailure && error.refusal !== undefined) ways.refused(error.refusal);
}

function wordsOf(error: unknown): readonly [code: string, message: string] {
  if (error instanceof LoginFailure) return [error.code, `holdfast: ${error.message}: ${error.remedy}`];
  return ['ERR', error instanceof RespViolation ? `Protocol error: ${error.message}` : 'holdfast: the connection broke'];
}
