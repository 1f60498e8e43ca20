import type { Duplex } from 'node:stream';
import type { Credential } from '../../../policy/credentials/types.ts';
import { createMasker } from '../../masking/masker.ts';
import type { ScramVerifier, Secret } from '../../types.ts';
import type { Ends } from '../../wire/serve-ends.ts';
import { endPointOf } from '../auth/channel-binding.ts';
import { answerScram, mechanisms } from '../auth/scram.ts';
import type { Startup } from '../protocol/startup.ts';
import {
  authenticationRequest,
  backend,
  frontend,
  postgresLimits,
  type PostgresMessage,
  queryMessage,
  zeroEnded,
} from '../protocol/types.ts';
import { type LoginReader, ProtocolViolation } from '../protocol/walker.ts';
import { isSafeEncoding, settings } from '../read-only/settings.ts';
import { createScreen, type Served } from '../types.ts';
import { type Greeted, PostgresLoginFailure } from './greet.ts';
import { type LoggedIn, logInPostgres } from './log-in.ts';

/** Both sides are logged in, but the client has not been told yet. */
export interface PostgresSession {
  readonly client: Duplex;
  readonly clientReader: LoginReader;
  readonly loggedIn: LoggedIn;
  readonly user: string;
  readonly database: string;
  /** The server's messages about its settings, to be passed to the client. */
  readonly said: readonly PostgresMessage[];
}

/** Lets the client prove that it knows the phantom before the server is dialled, and then logs in with the secret. */
export async function establish(
  greeted: Extract<Greeted, { kind: 'login' }>,
  ends: Ends,
  served: Served,
): Promise<PostgresSession> {
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
    const loggedIn = await logInPostgres({
      ways: served.ways,
      tls: injection.tls,
      user,
      password,
      parameters,
      mask: (text) => mask(text, served),
      opened,
    });
    const more = injection.mode === 'read-only' ? await holdReadOnly(loggedIn) : [];
    return {
      client,
      clientReader: reader,
      loggedIn,
      user,
      database: parameters.get('database') ?? claimed,
      said: [...loggedIn.said, ...more],
    };
  } catch (error) {
    throw upstreamFailure(error);
  }
}

/** Attack: a phantom or secret in the application name, which other users can read in `pg_stat_activity`. */
function screen(parameters: ReadonlyMap<string, string>, { credential, context, ways }: Served): void {
  const texts = [...parameters].flatMap((pair) => pair.map((text) => `${text}\0`)).join('');
  const screened = createScreen(credential, context, ways).outgoing(Buffer.from(texts));
  if (screened.kind === 'refused') throw new PostgresLoginFailure(screened.error);
}

async function secretOf({ credential, context }: Served): Promise<Secret> {
  const read = await context.secrets.read(credential);
  if (read.kind === 'secret') return read.secret;
  throw new PostgresLoginFailure(
    { code: '28000', message: read.message, remedy: read.remedy },
    'credential-unavailable',
  );
}

/** Describes the server's failure or a broken connection, without the server's own text. */
function upstreamFailure(error: unknown): PostgresLoginFailure {
  if (error instanceof PostgresLoginFailure) return error;
  const reason =
    error instanceof ProtocolViolation
      ? `the server broke off the login: ${error.message}`
      : 'the connection to the server broke during the login';
  return new PostgresLoginFailure(
    { code: '08006', message: reason, remedy: "see the server's log, and connect again" },
    'upstream-protocol',
  );
}

/** The masker expects one character for each byte. */
function mask(text: string, { context }: Served): string {
  const masker = createMasker({ known: () => context.secrets.known() });
  return Buffer.from(
    masker.maskText(Buffer.from(text).toString('latin1'), () => undefined),
    'latin1',
  ).toString();
}

/** Names in a startup message that are not settings. */
const own: ReadonlySet<string> = new Set(['user', 'database']);

/**
 * Returns the parameters of a client's startup message that go to the server. Refuses replication, which is another
 * protocol. A read-only session accepts only settings that it may also change later. It refuses command-line `options`,
 * which could contain any setting.
 */
export function upstreamParameters(
  { parameters }: Startup,
  mode: 'read-write' | 'read-only',
): ReadonlyMap<string, string> {
  const replication = parameters.get('replication')?.toLowerCase() ?? 'off';
  if (!['off', 'false', 'no', '0'].includes(replication))
    throw refused('Holdfast does not relay replication', 'connect without the parameter replication');
  const passed = new Map([...parameters].filter(([name]) => name !== 'replication'));
  if (mode === 'read-write') return passed;
  for (const [name, value] of passed) {
    if (own.has(name)) continue;
    if (name === 'options' && value.trim() === '') passed.delete(name);
    else if (name === 'options')
      throw refused(
        'a read-only session accepts no options',
        'connect without options (PGOPTIONS), and use SET for the settings that it may change',
      );
    else if (!settings.has(name.toLowerCase()))
      throw refused(`a read-only session may not change the setting "${name}"`, 'connect without it');
    else if (name.toLowerCase() === 'client_encoding' && !isSafeEncoding(value))
      throw refused(
        'a read-only session needs a client encoding that contains ASCII',
        'connect with client_encoding UTF8',
      );
  }
  return passed;
}

function refused(message: string, remedy: string): PostgresLoginFailure {
  return new PostgresLoginFailure({ code: '42501', message, remedy }, 'policy');
}

/** Most messages that answer the two short statements. */
const mostMessages = 64;

/**
 * Makes the session read-only: transactions are read-only by default, and the role is not a superuser. Superusers are
 * refused, because one function that Holdfast's list lacks would give them the server's files and a shell.
 */
async function holdReadOnly({ server, reader }: LoggedIn): Promise<readonly PostgresMessage[]> {
  server.write(queryMessage('SET default_transaction_read_only = on; SHOW is_superuser'));
  const said: PostgresMessage[] = [];
  let isSuperuser: string | undefined;
  for (let count = 0; count < mostMessages; count += 1) {
    const received = await reader.next(postgresLimits.login);
    if (received.type === backend.error) throw new ProtocolViolation('it would not make the session read-only');
    if (received.type === backend.parameterStatus) said.push(received);
    if (received.type === backend.dataRow) isSuperuser = firstValue(received.body);
    if (received.type !== backend.readyForQuery) continue;
    if (isSuperuser === 'off') return said;
    throw new PostgresLoginFailure(
      {
        code: '42501',
        message:
          'a read-only session cannot use a superuser: a superuser can reach files and programs of the server in too many ways',
        remedy: 'give the credential its own role: CREATE ROLE agent LOGIN PASSWORD …; GRANT pg_read_all_data TO agent',
      },
      'credential-unavailable',
    );
  }
  throw new ProtocolViolation('it does not become ready');
}

/** `row` is a `DataRow` with one column. */
function firstValue(row: Buffer): string | undefined {
  const hasOne = row.length >= 6 && row.readInt16BE(0) === 1 && row.readInt32BE(2) === row.length - 6;
  return hasOne ? row.toString('utf8', 6) : undefined;
}

interface Admission {
  readonly client: Duplex;
  readonly reader: LoginReader;
  readonly credential: Credential;
  readonly user: string;
  /** Verifier of the phantom. Undefined without a phantom, or if it was revoked. */
  readonly verifier: ScramVerifier | undefined;
}

/**
 * Makes the client prove by SCRAM that it knows the phantom, which is never sent itself. Offers nothing else, because
 * every libpq since version 10 knows SCRAM. Rejects with `28P01` without the proof. With it, the last message of SCRAM
 * has been sent.
 */
async function admit({ client, reader, credential, user, verifier }: Admission): Promise<void> {
  const channel = endPointOf(client, 'server');
  const offered = channel === undefined ? [mechanisms.plain] : [mechanisms.bound, mechanisms.plain];
  client.write(authenticationRequest('sasl', Buffer.concat([...offered.map(zeroEnded), Buffer.from([0])])));
  const { mechanism, first } = initialResponse(await saslMessage(reader));
  const challenge = answerScram(mechanism, first, { verifier, channel });
  if (challenge.kind === 'malformed') throw malformed(challenge.reason);
  client.write(authenticationRequest('saslContinue', Buffer.from(challenge.message)));
  const verdict = challenge.answer((await saslMessage(reader)).toString('latin1'));
  switch (verdict.kind) {
    case 'malformed':
      throw malformed(verdict.reason);
    case 'refused':
      throw admitRefused(user, credential, verifier);
    case 'proved':
      client.write(authenticationRequest('saslFinal', Buffer.from(verdict.final)));
  }
}

async function saslMessage(reader: LoginReader): Promise<Buffer> {
  const { type, body } = await reader.next(postgresLimits.sasl);
  if (type !== frontend.password) throw malformed('something else stands where the client should authenticate itself');
  return body;
}

/** Mechanism, length, and its first message. Source: PostgreSQL 15 documentation, 55.7 (SASLInitialResponse). */
function initialResponse(body: Buffer): { readonly mechanism: string; readonly first: string } {
  const end = body.indexOf(0);
  if (end < 0 || body.length < end + 5 || body.readInt32BE(end + 1) !== body.length - end - 5)
    throw malformed('the first message of SASL has another form');
  return { mechanism: body.toString('latin1', 0, end), first: body.toString('latin1', end + 5) };
}

function malformed(reason: string): PostgresLoginFailure {
  return new PostgresLoginFailure(
    { code: '08P01', message: reason, remedy: 'use a client that speaks SCRAM-SHA-256: libpq 10 or later' },
    'malformed-request',
  );
}

function admitRefused(user: string, { name }: Credential, verifier: ScramVerifier | undefined): PostgresLoginFailure {
  if (verifier === undefined)
    return new PostgresLoginFailure(
      {
        code: '28P01',
        message: `password authentication failed for user "${user}": the phantom of the credential "${name}" is no longer valid`,
        remedy: 'start a new session',
      },
      'phantom-misused',
    );
  return new PostgresLoginFailure(
    {
      code: '28P01',
      message: `password authentication failed for user "${user}": the password is not the phantom of the credential "${name}"`,
      remedy: 'use the password or URL that the session put into the environment',
    },
    'foreign-credential',
  );
}
