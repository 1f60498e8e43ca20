import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { BrokerWays } from '../../../egress/types.ts';
import { endPointOf } from '../auth/channel-binding.ts';
import { type ScramClient, startScram } from '../auth/scram-client.ts';
import { errorFields } from '../protocol/errors.ts';
import {
  authentication,
  backend,
  int32,
  postgresLimits,
  type PostgresMessage,
  passwordMessage,
  startupMessage,
  zeroEnded,
  tlsRequest,
} from '../protocol/types.ts';
import { type LoginReader, loginReader, ProtocolViolation } from '../protocol/walker.ts';
import { PostgresLoginFailure } from './greet.ts';

export interface LogInOptions {
  readonly ways: BrokerWays;
  readonly tls: UpstreamTls;
  readonly user: string;
  readonly password: string;
  /** Parameters of the client's startup message. `user` in them is ignored. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Removes secrets from the server's text. */
  readonly mask: (text: string) => string;
  /** Gets the connection as soon as it exists, so that the caller can end it. */
  readonly opened: (server: Duplex) => void;
}

export interface LoggedIn {
  readonly server: Duplex;
  readonly reader: LoginReader;
  /** `ParameterStatus` and `NoticeResponse` messages for the client, unchanged. */
  readonly said: readonly PostgresMessage[];
  readonly processId: number;
  readonly cancelKey: Buffer;
}

/** Messages between the login and the first `ReadyForQuery`: 15 with PostgreSQL 18. */
const mostMessages = 256;

/**
 * Logs into the server with the real password, up to its first `ReadyForQuery`. Rejects with an error for the client.
 */
export async function logInPostgres(options: LogInOptions): Promise<LoggedIn> {
  const { ways, tls, user, parameters } = options;
  const server = await openPostgres(ways, tls);
  options.opened(server);
  const reader = loginReader(server);
  server.write(
    startupMessage(
      new Map([
        ...parameters,
        ['user', user],
        ['database', parameters.get('database') ?? parameters.get('user') ?? user],
      ]),
    ),
  );
  const refused = await authenticate({
    server,
    reader,
    user,
    password: options.password,
    transport: tls === 'disable' ? 'plain' : 'tls',
  });
  if (refused !== undefined) throw serverRefused(refused, options.mask);
  return ready(server, reader, options.mask);
}

async function ready(server: Duplex, reader: LoginReader, mask: LogInOptions['mask']): Promise<LoggedIn> {
  const said: PostgresMessage[] = [];
  let key: Pick<LoggedIn, 'processId' | 'cancelKey'> = { processId: 0, cancelKey: Buffer.alloc(0) };
  for (let count = 0; count < mostMessages; count += 1) {
    const received = await reader.next(postgresLimits.login);
    switch (received.type) {
      case backend.readyForQuery:
        return { server, reader, said, ...key };
      case backend.parameterStatus:
      case backend.notice:
        said.push(received);
        break;
      case backend.backendKeyData:
        key = keyOf(received.body);
        break;
      case backend.error:
        throw serverRefused(received, mask);
      default:
        throw new ProtocolViolation('it sent a message that does not belong in a login');
    }
  }
  throw new ProtocolViolation('it does not become ready');
}

/** Returns the cancel key, which has four octets in version 3.0. */
function keyOf(body: Buffer): Pick<LoggedIn, 'processId' | 'cancelKey'> {
  if (body.length !== 8) throw new ProtocolViolation('its cancel key is malformed');
  return { processId: body.readInt32BE(0), cancelKey: Buffer.from(body.subarray(4)) };
}

/** Passes on the server's own message and code, for example about a missing database or too many connections. */
function serverRefused({ body }: PostgresMessage, mask: LogInOptions['mask']): PostgresLoginFailure {
  const fields = errorFields(body);
  const code = /^[0-9A-Z]{5}$/u.test(fields.get('C') ?? '') ? (fields.get('C') ?? '') : '08004';
  return new PostgresLoginFailure({
    code,
    message: `the server refused the login: ${mask(fields.get('M') ?? 'it does not say why')}`,
    remedy: mask(fields.get('H') ?? 'check that the credential is the right one for this server, user and database'),
  });
}

interface Login {
  readonly server: Duplex;
  readonly reader: LoginReader;
  readonly transport: 'tls' | 'plain';
  readonly user: string;
  readonly password: string;
}

/** Most requests that a server may send during authentication. */
const mostRequests = 8;

/**
 * Proves to the server that Holdfast knows the password. In SCRAM the server also has to prove that it knows the
 * password. A plain-text password goes only to a server that has proved its name by TLS. Returns the first message
 * after the authentication if it is an error. Undefined after success.
 */
async function authenticate(login: Login): Promise<PostgresMessage | undefined> {
  let scram: ScramClient | undefined;
  let proof: 'none' | 'owed' | 'given' = 'none';
  for (let count = 0; count < mostRequests; count += 1) {
    const received = await login.reader.next(postgresLimits.login);
    if (received.type === backend.error) return received;
    if (received.type !== backend.authentication || received.body.length < 4)
      throw new ProtocolViolation('it sent a message other than an authentication request');
    const body = received.body.subarray(4);
    switch (received.body.readInt32BE(0)) {
      case authentication.ok:
        if (proof === 'owed') throw new ProtocolViolation('it did not prove that it knows the password');
        return undefined;
      case authentication.cleartext:
        if (scram !== undefined) throw new ProtocolViolation('it asked for the password during SCRAM');
        login.server.write(passwordMessage(zeroEnded(inClear(login))));
        break;
      case authentication.md5:
        if (scram !== undefined || body.length !== 4) throw new ProtocolViolation('its request for MD5 is malformed');
        login.server.write(passwordMessage(zeroEnded(md5Answer(login, body))));
        break;
      case authentication.sasl:
        if (scram !== undefined) throw new ProtocolViolation('it began SCRAM again');
        scram = begin(login, body);
        proof = 'owed';
        break;
      case authentication.saslContinue:
        if (scram === undefined) throw new ProtocolViolation('it continued a SCRAM exchange that had not begun');
        login.server.write(passwordMessage(Buffer.from(await scram.answer(body.toString('latin1')))));
        break;
      case authentication.saslFinal:
        if (scram === undefined) throw new ProtocolViolation('it ended a SCRAM exchange that had not begun');
        scram.verify(body.toString('latin1'));
        proof = 'given';
        break;
      default:
        throw new PostgresLoginFailure(
          {
            code: '0A000',
            message: `the server requests an authentication method (${received.body.readInt32BE(0)}) that Holdfast does not support`,
            remedy: 'set scram-sha-256 in its pg_hba.conf',
          },
          'upstream-protocol',
        );
    }
  }
  throw new ProtocolViolation('it sent too many authentication requests');
}

function begin(login: Login, offers: Buffer): ScramClient {
  const offered = offers.toString('latin1').split('\0');
  const channel = endPointOf(login.server, 'client');
  const scram = startScram(login.password, { offered, channel, transport: login.transport });
  if (scram === undefined) throw new ProtocolViolation('it offers no SCRAM-SHA-256');
  const first = Buffer.from(scram.first);
  login.server.write(passwordMessage(Buffer.concat([zeroEnded(scram.mechanism), int32(first.length), first])));
  return scram;
}

function inClear({ transport, password }: Login): string {
  if (transport === 'tls') return password;
  throw new PostgresLoginFailure(
    {
      code: '28000',
      message: 'the server asks for the password in clear text, but has not proved its identity',
      remedy: 'set scram-sha-256 in its pg_hba.conf, or set tls = "verify-full"',
    },
    'credential-unavailable',
  );
}

/**
 * Returns the answer to `AuthenticationMD5Password`. `salt` has four octets. Source: PostgreSQL 15 documentation,
 * 55.2.1.
 */
export function md5Answer(login: { readonly user: string; readonly password: string }, salt: Buffer): string {
  return `md5${digest(Buffer.concat([Buffer.from(digest(Buffer.from(login.password + login.user))), salt]))}`;
}

function digest(data: Buffer): string {
  return createHash('md5').update(data).digest('hex');
}

export type UpstreamTls = 'verify-full' | 'disable';

/**
 * Opens a connection to the server. With `tls = "verify-full"`, the server has then proved its name. Never falls back
 * to plain text.
 */
export async function openPostgres(ways: BrokerWays, tls: UpstreamTls): Promise<Duplex> {
  const { host, port } = ways.destination;
  const dialled = await ways.dial();
  if (dialled.kind === 'refused')
    throw new PostgresLoginFailure({ code: '08001', message: dialled.refusal.message, remedy: dialled.refusal.remedy });
  const { socket } = dialled;
  if (tls === 'disable') return socket;
  const reader = loginReader(socket);
  socket.write(tlsRequest);
  const answer = await reader.octet();
  if (answer !== 0x53) {
    socket.destroy();
    throw new PostgresLoginFailure(
      {
        code: '08001',
        message: `the server ${host}:${port} does not speak TLS`,
        remedy:
          'switch on ssl there; set tls = "disable" for the credential only in a network where nobody else can listen',
      },
      'upstream-certificate',
    );
  }
  // Further plain-text bytes would count as protected by TLS (CVE-2021-23222).
  if (!reader.isEmpty()) {
    socket.destroy();
    throw new PostgresLoginFailure(
      {
        code: '08P01',
        message: `the server ${host}:${port} sent plain text before TLS`,
        remedy: 'check the network between this machine and the server',
      },
      'upstream-protocol',
    );
  }
  reader.detach();
  const secured = await ways.secure(socket);
  if (secured.kind === 'refused')
    throw new PostgresLoginFailure({ code: '08001', message: secured.refusal.message, remedy: secured.refusal.remedy });
  return secured.socket;
}
