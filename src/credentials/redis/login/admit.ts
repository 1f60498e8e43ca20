import type { Duplex } from 'node:stream';
import { okay, writeError } from '../protocol/write.ts';
import { checkNames } from './check-names.ts';
import { checkProof, type Checking } from './check-proof.ts';
import type { CommandReader } from './command-reader.ts';
import { type Hello, parseLogin } from './login-command.ts';

/** A client that has shown the phantom. */
export interface Admitted {
  readonly user: string | undefined;
  /** It waits for the answer to this; otherwise to that of `AUTH`. */
  readonly hello?: Hello;
}

export interface Admission extends Checking {
  readonly client: Duplex;
  readonly reader: CommandReader;
}

/** Logins that fail before the connection is closed: who guesses has to connect again. */
const mostFailures = 8;

/** Reads up to the login of a client. Undefined: it has gone, or was sent away. Nothing of it reaches a server. */
export async function admit({ client, reader, ...checking }: Admission): Promise<Admitted | undefined> {
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
      if (failure === undefined) return { user: login.proof.user, ...(login.hello !== undefined && { hello: login.hello }) };
      say(failure.code, `${failure.message}: ${failure.remedy}`);
      failures += 1;
    }
  }
  return undefined;
}
