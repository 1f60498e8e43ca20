import type { Duplex } from 'node:stream';
import type { BrokerWays } from '../../../egress/index.ts';
import { errorFields } from '../protocol/errors.ts';
import { type LoginReader, loginReader } from '../protocol/login-reader.ts';
import { backend, limits, type Message } from '../protocol/types.ts';
import { ProtocolViolation } from '../protocol/violation.ts';
import { startupMessage } from '../protocol/write.ts';
import { authenticate } from './authenticate.ts';
import { LoginFailure } from './failure.ts';
import { openUpstream, type UpstreamTls } from './upstream.ts';

export interface LogInOptions {
  readonly ways: BrokerWays;
  readonly tls: UpstreamTls;
  readonly user: string;
  readonly password: string;
  /** Of the client's startup message; `user` in it is ignored. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Takes secrets out of what the server says. */
  readonly mask: (text: string) => string;
  /** Is handed the connection as soon as there is one, for who has to end it. */
  readonly opened: (server: Duplex) => void;
}

export interface LoggedIn {
  readonly server: Duplex;
  readonly reader: LoginReader;
  /** `ParameterStatus` and `NoticeResponse` for the client, as they came. */
  readonly said: readonly Message[];
  readonly processId: number;
  readonly cancelKey: Buffer;
}

/** Messages between the login and the first `ReadyForQuery`: 15 with PostgreSQL 18. */
const mostMessages = 256;

/** Logs into the server with the real password, up to its first `ReadyForQuery`. Rejects with what the client is told. */
export async function logIn(options: LogInOptions): Promise<LoggedIn> {
  const { ways, tls, user, parameters } = options;
  const server = await openUpstream(ways, tls);
  options.opened(server);
  const reader = loginReader(server);
  server.write(startupMessage(new Map([...parameters, ['user', user], ['database', parameters.get('database') ?? parameters.get('user') ?? user]])));
  const refused = await authenticate({ server, reader, user, password: options.password, transport: tls === 'disable' ? 'plain' : 'tls' });
  if (refused !== undefined) throw serverRefused(refused, options.mask);
  return ready(server, reader, options.mask);
}

async function ready(server: Duplex, reader: LoginReader, mask: LogInOptions['mask']): Promise<LoggedIn> {
  const said: Message[] = [];
  let key: Pick<LoggedIn, 'processId' | 'cancelKey'> = { processId: 0, cancelKey: Buffer.alloc(0) };
  for (let count = 0; count < mostMessages; count += 1) {
    const received = await reader.next(limits.login);
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
        throw new ProtocolViolation('it sent something that has no place in a login');
    }
  }
  throw new ProtocolViolation('it does not become ready');
}

/** Four octets in version 3.0. */
function keyOf(body: Buffer): Pick<LoggedIn, 'processId' | 'cancelKey'> {
  if (body.length !== 8) throw new ProtocolViolation('its key for cancelling has another form');
  return { processId: body.readInt32BE(0), cancelKey: Buffer.from(body.subarray(4)) };
}

/** The server's own words and code: a database that does not exist, too many connections. */
function serverRefused({ body }: Message, mask: LogInOptions['mask']): LoginFailure {
  const fields = errorFields(body);
  const code = /^[0-9A-Z]{5}$/u.test(fields.get('C') ?? '') ? (fields.get('C') ?? '') : '08004';
  return new LoginFailure({ code, message: `the server refused the login: ${mask(fields.get('M') ?? 'it does not say why')}`, remedy: mask(fields.get('H') ?? 'see whether the credential is the right one for this server, user and database') });
}
