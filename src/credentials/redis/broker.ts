import type { Duplex } from 'node:stream';
import type { Broker, BrokerWays } from '../../egress/types.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import type { CredentialContext, Secret } from '../types.ts';
import { type Ends, serveEnds } from '../wire/serve-ends.ts';
import { createStreamScreen } from '../wire/stream-screen.ts';
import { createTurnEnd, type TurnEnd } from '../wire/turn-end.ts';
import { createCommandFinder, type Named, type NameIndex, permissionsOf } from './commands/permissions.ts';
import {
  type Checking,
  checkProof,
  type Hello,
  type LoginCommand,
  RedisLoginFailure,
  parseLogin,
  writeHello,
} from './login/login-command.ts';
import { authCommand, commandReader, type CommandReader, logInRedis } from './login/upstream.ts';
import { RespViolation } from './protocol/whole-command.ts';
import { okay, writeCommand, writeError } from './protocol/write.ts';
import { createClientSide, relay } from './relay/relay.ts';
import { createStatementBudget, createStatementLog, type StatementBudget } from './relay/statement-log.ts';

/**
 * Creates a broker between the clients of a box and a Redis server. Clients log in with the phantom, and the broker
 * logs in with the secret. Commands pass an allow-list, and the journal records their names and keys. In `read-only`
 * mode nothing is written, even if the user may write.
 */
export function createRedisBroker(credential: RedisCredential, context: CredentialContext): Broker {
  const { mode, commands } = credential.injection;
  const { known, unknown } = permissionsOf({
    credential: credential.name,
    mode,
    ...(commands !== undefined && { commands }),
  });
  const finder = createCommandFinder(known);
  const budget = createStatementBudget();
  const turn = createTurnEnd();
  return {
    name: 'redis',
    serve: (client, ways) => serveClient(client, { credential, context, finder, unknown, budget, turn, ways }),
  };
}

export type RedisCredential = Credential & {
  readonly injection: Extract<Credential['injection'], { readonly kind: 'redis' }>;
};

interface Served {
  readonly credential: RedisCredential;
  readonly context: CredentialContext;
  readonly finder: NameIndex<Named>;
  /** Sent instead of an unknown command. */
  readonly unknown: Buffer;
  readonly budget: StatementBudget;
  readonly turn: TurnEnd;
  readonly ways: BrokerWays;
}

/** First octet of a TLS record that holds a ClientHello. Source: RFC 8446 §5.1. */
const handshakeRecord = 0x16;

/** Serves one connection to its end. Never rejects. */
function serveClient(raw: Duplex, served: Served): Promise<void> {
  return serveEnds(raw, {
    logIn: async (ends) => ((await greet(ends, served.ways)) ? establish(ends, served) : undefined),
    fail: (client, error) => tell(client, error, served.ways),
  });
}

/** Terminates TLS if the client begins with it. Returns false if the client has gone or its TLS was refused. */
async function greet(ends: Ends, ways: BrokerWays): Promise<boolean> {
  const reader = commandReader(ends.client);
  const first = await reader.peek();
  reader.detach();
  if (first !== handshakeRecord) return first !== undefined;
  const secured = await ways.terminateTls(ends.client);
  if (secured.kind === 'secured') ends.client = secured.socket;
  return secured.kind === 'secured';
}

/**
 * Waits until the client has shown the phantom, and only then dials the server and logs in with the secret. Returns the
 * relay for the rest of the connection.
 */
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
  const server = await logInRedis({
    ways,
    tls: credential.injection.tls,
    credential: credential.name,
    user,
    password,
    opened,
  });
  const said = await reader.rest();
  return () => startRelay({ client, said, server, admitted, user, password }, served);
}

async function secretOf({ credential, context }: Served): Promise<Secret> {
  const read = await context.secrets.read(credential);
  if (read.kind === 'unavailable')
    throw new RedisLoginFailure({ code: 'ERR', message: read.message, remedy: read.remedy }, 'credential-unavailable');
  const isLine = !/[\r\n\0]/u.test(read.secret.value);
  if (!isLine)
    throw new RedisLoginFailure(
      {
        code: 'ERR',
        message: `the secret of the credential "${credential.name}" has several lines, and a password of Redis has only one`,
        remedy: "check the credential's source",
      },
      'credential-unavailable',
    );
  return read.secret;
}

function tell(client: Duplex, error: unknown, ways: BrokerWays): void {
  const [code, message] = wordsOf(error);
  if (client.writable) client.end(writeError(code, message));
  if (error instanceof RedisLoginFailure && error.refusal !== undefined) ways.refused(error.refusal);
}

function wordsOf(error: unknown): readonly [code: string, message: string] {
  if (error instanceof RedisLoginFailure) return [error.code, `holdfast: ${error.message}: ${error.remedy}`];
  return [
    'ERR',
    error instanceof RespViolation ? `Protocol error: ${error.message}` : 'holdfast: the connection broke',
  ];
}

/** Both sides are logged in, but the client has not been told yet. */
interface Session {
  readonly client: Duplex;
  /** Bytes that the client sent after its login. */
  readonly said: Buffer;
  readonly server: Duplex;
  readonly admitted: Admitted;
  readonly user: string | undefined;
  readonly password: string;
}

/** Tells the client that it is logged in, and relays commands until the connection ends. */
async function startRelay(session: Session, served: Served): Promise<void> {
  const { client, said, server, admitted, user } = session;
  const { credential, context, ways, finder, unknown, budget, turn } = served;
  context.used(credential.name, ways.destination);
  ways.record({ kind: 'session', user: user ?? 'default', mode: credential.injection.mode });
  // The server itself answers a HELLO, because the answer contains its version.
  if (admitted.hello === undefined) client.write(okay);
  else server.write(writeHello(admitted.hello));
  const log = createStatementLog(budget, ways.record);
  const screen = createStreamScreen({ credential, context, ways, place: 'a command or an answer of Redis' });
  const login = (args: readonly Buffer[]): Buffer => loginAgain(args, session, served);
  try {
    await relay({
      client,
      said,
      server,
      turn,
      screen,
      fromClient: createClientSide({ screen, finder, log, unknown, login }),
    });
  } finally {
    log.close();
  }
}

/**
 * A client that logs in again has to show the phantom again. A HELLO is passed on without the login, because version 5
 * of Redis would repeat the login in an error.
 */
function loginAgain(args: readonly Buffer[], { user, password }: Session, served: Served): Buffer {
  const login = parseLogin(args);
  if (login === undefined || login.kind === 'problem') return writeCommand(['holdfast: the login is malformed']);
  if (checkNames(login, served) !== undefined) return writeCommand(['holdfast: a name holds a phantom']);
  const failure = login.proof === undefined ? undefined : checkProof(login.proof, served);
  if (failure !== undefined) return writeCommand(['holdfast: WRONGPASS: the password is not that of the session']);
  return login.hello === undefined ? authCommand({ user, password }) : writeHello(login.hello);
}

/** A client that has shown the phantom. */
interface Admitted {
  readonly user: string | undefined;
  /** The HELLO that the client expects an answer to. Absent: it expects the answer to its `AUTH`. */
  readonly hello?: Hello;
}

interface Admission extends Checking {
  readonly client: Duplex;
  readonly reader: CommandReader;
}

/** Failed logins before the connection is closed, so that guessing needs new connections. */
const mostFailures = 8;

/** Reads up to a client's login. Undefined if the client has gone or was refused. None of its bytes reach a server. */
async function admit({ client, reader, ...checking }: Admission): Promise<Admitted | undefined> {
  const say = (code: string, message: string): void => void client.write(writeError(code, message));
  for (let failures = 0; failures < mostFailures; ) {
    const args = await reader.command();
    if (args === undefined) return undefined;
    const login = parseLogin(args);
    if (login?.kind === 'problem') {
      say(login.code, login.message);
      failures += 1;
    } else if (login?.proof === undefined) {
      const isLast = args[0]?.toString('latin1').toUpperCase() === 'QUIT';
      if (isLast) client.write(okay);
      else say('NOAUTH', 'Authentication required.');
      if (isLast) return undefined;
    } else {
      const failure = checkProof(login.proof, checking) ?? checkNames(login, checking);
      if (failure === undefined)
        return { user: login.proof.user, ...(login.hello !== undefined && { hello: login.hello }) };
      say(failure.code, `${failure.message}: ${failure.remedy}`);
      failures += 1;
    }
  }
  return undefined;
}

/**
 * Checks the names of a login for phantoms and secrets, because they go to the server unchanged. Attack: a secret as
 * the client's name, which others read in `CLIENT LIST`. A hit is in the journal, with an alarm.
 */
function checkNames(
  { proof, hello }: Extract<LoginCommand, { readonly kind: 'login' }>,
  checking: Checking,
): RedisLoginFailure | undefined {
  const names = [Buffer.from(proof?.user ?? ''), hello?.clientName ?? Buffer.alloc(0)];
  // After a final NUL, the search keeps no octet before it back.
  const end = Buffer.from([0]);
  const screened = createStreamScreen({ ...checking, place: 'a name in a login of Redis' }).outgoing(
    Buffer.concat(names.flatMap((name) => [name, end])),
  );
  return screened.kind === 'refused'
    ? new RedisLoginFailure({ code: 'ERR', message: screened.refusal.message, remedy: screened.refusal.remedy })
    : undefined;
}
