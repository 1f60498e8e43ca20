import type { Duplex } from 'node:stream';
import { createMasker } from '../../masking/index.ts';
import type { Secret } from '../../types.ts';
import { createScreen } from '../create-screen.ts';
import type { LoginReader } from '../protocol/login-reader.ts';
import type { Message } from '../protocol/types.ts';
import { ProtocolViolation } from '../protocol/violation.ts';
import type { Served } from '../serve-client.ts';
import type { Ends } from '../../wire/index.ts';
import { admit } from './admit.ts';
import { LoginFailure } from './failure.ts';
import type { Greeted } from './greet.ts';
import { holdReadOnly } from './hold-read-only.ts';
import { logIn, type LoggedIn } from './log-in.ts';
import { upstreamParameters } from './parameters.ts';

/** Both sides logged in. The client has not been told. */
export interface Session {
  readonly client: Duplex;
  readonly clientReader: LoginReader;
  readonly loggedIn: LoggedIn;
  readonly user: string;
  readonly database: string;
  /** What the server said about its settings, for the client. */
  readonly said: readonly Message[];
}

/** The client proves that it knows the phantom before anything of the server is touched; then we log in with the secret. */
export async function establish(greeted: Extract<Greeted, { kind: 'login' }>, ends: Ends, served: Served): Promise<Session> {
  const { credential, context } = served;
  const { injection } = credential;
  const { startup, client, reader } = greeted;
  const claimed = startup.parameters.get('user') ?? '';
  await admit({ client, reader, credential, user: claimed, verifier: context.registry.scram(credential) });
  const parameters = upstreamParameters(startup, injection.mode);
  screen(parameters, served);
  const { value: password } = await secretOf(served);
  const user = injection.user ?? claimed;
  try {
    const opened = (server: Duplex): void => {
      server.on('error', () => undefined);
      ends.server = server;
      if (client.destroyed) server.destroy();
    };
    const loggedIn = await logIn({ ways: served.ways, tls: injection.tls, user, password, parameters, mask: (text) => mask(text, served), opened });
    const more = injection.mode === 'read-only' ? await holdReadOnly(loggedIn) : [];
    return { client, clientReader: reader, loggedIn, user, database: parameters.get('database') ?? claimed, said: [...loggedIn.said, ...more] };
  } catch (error) {
    throw upstreamFailure(error);
  }
}

/** Attack: what stands for a secret as the name of the application, which others read in `pg_stat_activity`. */
function screen(parameters: ReadonlyMap<string, string>, { credential, context, ways }: Served): void {
  const texts = [...parameters].flatMap((pair) => pair.map((text) => `${text}\0`)).join('');
  const screened = createScreen(credential, context, ways).outgoing(Buffer.from(texts));
  if (screened.kind === 'refused') throw new LoginFailure(screened.error);
}

async function secretOf({ credential, context }: Served): Promise<Secret> {
  const read = await context.secrets.read(credential);
  if (read.kind === 'secret') return read.secret;
  throw new LoginFailure({ code: '28000', message: read.message, remedy: read.remedy }, 'credential-unavailable');
}

/** What the server did, or that its connection broke; never what it sent. */
function upstreamFailure(error: unknown): LoginFailure {
  if (error instanceof LoginFailure) return error;
  const reason = error instanceof ProtocolViolation ? `the server broke off the login: ${error.message}` : 'the connection to the server broke during the login';
  return new LoginFailure({ code: '08006', message: reason, remedy: "see the server's log, and connect again" }, 'upstream-protocol');
}

/** Maskers take one character for each byte. */
function mask(text: string, { context }: Served): string {
  const masker = createMasker({ known: () => context.secrets.known() });
  return Buffer.from(masker.maskText(Buffer.from(text).toString('latin1'), () => undefined), 'latin1').toString();
}
