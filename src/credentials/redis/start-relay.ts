import type { Duplex } from 'node:stream';
import { createStreamScreen } from '../wire/index.ts';
import type { Admitted } from './login/admit.ts';
import { checkNames } from './login/check-names.ts';
import { checkProof } from './login/check-proof.ts';
import { parseLogin, writeHello } from './login/login-command.ts';
import { authCommand } from './login/upstream.ts';
import { okay, writeCommand } from './protocol/write.ts';
import { createClientSide } from './relay/client-side.ts';
import { relay } from './relay/relay.ts';
import { createStatementLog } from './relay/statement-log.ts';
import type { Served } from './serve-client.ts';

/** Both sides logged in. The client has not been told. */
export interface Session {
  readonly client: Duplex;
  /** What the client has sent behind its login. */
  readonly said: Buffer;
  readonly server: Duplex;
  readonly admitted: Admitted;
  readonly user: string | undefined;
  readonly password: string;
}

/** Tells the client that it is in, and carries commands to the end of the connection. */
export async function startRelay(session: Session, served: Served): Promise<void> {
  const { client, said, server, admitted, user } = session;
  const { credential, context, ways, finder, unknown, budget, turn } = served;
  context.used(credential.name, ways.destination);
  ways.record({ kind: 'session', user: user ?? 'default', mode: credential.injection.mode });
  // A HELLO is answered by the server, who has the version in it.
  if (admitted.hello === undefined) client.write(okay);
  else server.write(writeHello(admitted.hello));
  const log = createStatementLog(budget, ways.record);
  const screen = createStreamScreen({ credential, context, ways, place: 'a command or an answer of Redis' });
  const login = (args: readonly Buffer[]): Buffer => loginAgain(args, session, served);
  try {
    await relay({ client, said, server, turn, screen, fromClient: createClientSide({ screen, finder, log, unknown, login }) });
  } finally {
    log.close();
  }
}

/** Who says again who he is shows the phantom again. A HELLO goes on without a login: version 5 of Redis would repeat it in an error. */
function loginAgain(args: readonly Buffer[], { user, password }: Session, served: Served): Buffer {
  const login = parseLogin(args);
  if (login === undefined || login.kind === 'problem') return writeCommand(['holdfast: the login is malformed']);
  if (checkNames(login, served) !== undefined) return writeCommand(['holdfast: a name holds what stands for a secret']);
  const failure = login.proof === undefined ? undefined : checkProof(login.proof, served);
  if (failure !== undefined) return writeCommand(['holdfast: WRONGPASS: the password is not the one of the session']);
  return login.hello === undefined ? authCommand({ user, password }) : writeHello(login.hello);
}
