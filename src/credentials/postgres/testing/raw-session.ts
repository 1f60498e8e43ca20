import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startScram } from '../auth/scram-client.ts';
import { codeOf, errorFields } from '../protocol/errors.ts';
import { type LoginReader, loginReader } from '../protocol/walker.ts';
import {
  authentication,
  backend,
  frontend,
  int32,
  type PostgresMessage,
  message,
  passwordMessage,
  queryMessage,
  startupMessage,
  zeroEnded,
} from '../protocol/types.ts';

/** A client that sends a test's messages, byte by byte if necessary. */
export interface RawSession {
  readonly socket: Socket;
  readonly reader: LoginReader;
  readonly key: PostgresMessage | undefined;
  readonly parameters: ReadonlyMap<string, string>;
  send(...messages: readonly Buffer[]): void;
  /** Messages up to and with `count` times `ReadyForQuery`. */
  ready(count?: number): Promise<readonly PostgresMessage[]>;
  /** One simple query, with its answer. */
  query(sql: string): Promise<Answer>;
  close(): void;
}

export interface Answer {
  /** First columns of rows. */
  readonly values: readonly (string | undefined)[];
  readonly tags: readonly string[];
  /** SQLSTATE of errors. */
  readonly errors: readonly string[];
  readonly status: string;
}

export interface RawLogin {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Receives incoming bytes before the reader. */
  readonly observe?: (chunk: Buffer) => void;
}

/** Logs in by SCRAM, without TLS. Rejects with the SQLSTATE of a refusal. */
export async function rawSession({ port, user, password, parameters = {}, observe }: RawLogin): Promise<RawSession> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (observe !== undefined) socket.on('data', observe);
  const reader = loginReader(socket);
  socket.write(startupMessage(new Map(Object.entries({ user, ...parameters }))));
  const scram = startScram(password, { offered: ['SCRAM-SHA-256'], channel: undefined, transport: 'plain' });
  if (scram === undefined) throw new Error('SCRAM was not offered');
  const settings = new Map<string, string>();
  let key: PostgresMessage | undefined;
  for (;;) {
    const { type, body } = await reader.next(1 << 20);
    if (type === backend.readyForQuery) break;
    if (type === backend.error) throw new Error(codeOf(errorFields(body)));
    if (type === backend.backendKeyData) key = { type, body };
    if (type === backend.parameterStatus) settings.set(...pairOf(body));
    if (type !== backend.authentication) continue;
    const kind = body.readInt32BE(0);
    const first = Buffer.from(scram.first);
    if (kind === authentication.sasl)
      socket.write(passwordMessage(Buffer.concat([zeroEnded(scram.mechanism), int32(first.length), first])));
    if (kind === authentication.saslContinue)
      socket.write(passwordMessage(Buffer.from(await scram.answer(body.toString('latin1', 4)))));
    if (kind === authentication.saslFinal) scram.verify(body.toString('latin1', 4));
  }
  const ready: RawSession['ready'] = async (count = 1) => {
    const messages: PostgresMessage[] = [];
    for (let left = count; left > 0; ) {
      const received = await reader.next(1 << 30);
      messages.push(received);
      if (received.type === backend.readyForQuery) left -= 1;
    }
    return messages;
  };
  return {
    socket,
    reader,
    key,
    parameters: settings,
    send: (...messages) => void socket.write(Buffer.concat(messages)),
    ready,
    async query(sql) {
      socket.write(queryMessage(sql));
      return answerOf(await ready());
    },
    close: () => void socket.destroy(),
  };
}

function pairOf(body: Buffer): [string, string] {
  const [name = '', value = ''] = body.toString('utf8').split('\0');
  return [name, value];
}

export function answerOf(messages: readonly PostgresMessage[]): Answer {
  const of = (type: number): readonly Buffer[] => messages.filter((each) => each.type === type).map(({ body }) => body);
  return {
    values: of(backend.dataRow).map((row) =>
      row.readInt16BE(0) > 0 && row.readInt32BE(2) >= 0 ? row.toString('utf8', 6, 6 + row.readInt32BE(2)) : undefined,
    ),
    tags: of(backend.commandComplete).map((body) => body.toString('latin1', 0, body.length - 1)),
    errors: of(backend.error).map((body) => codeOf(errorFields(body))),
    status: of(backend.readyForQuery).at(-1)?.toString('latin1') ?? '',
  };
}

/** The letters of messages, e.g. `12DCZ`. */
export function lettersOf(messages: readonly PostgresMessage[]): string {
  return messages.map(({ type }) => String.fromCharCode(type)).join('');
}

export const parse = (sql: string, name = ''): Buffer =>
  message(frontend.parse, zeroEnded(name), zeroEnded(sql), Buffer.alloc(2));
export const bind = (portal = '', statement = ''): Buffer =>
  message(frontend.bind, zeroEnded(portal), zeroEnded(statement), Buffer.alloc(6));
export const execute = (portal = '', rows = 0): Buffer => message(frontend.execute, zeroEnded(portal), int32(rows));
export const closeStatement = (name: string): Buffer => message(frontend.close, Buffer.from('S'), zeroEnded(name));
export const describePortal = (name = ''): Buffer => message(frontend.describe, Buffer.from('P'), zeroEnded(name));
export const sync: Buffer = message(frontend.sync);
export const flush: Buffer = message(frontend.flush);
/** Unnamed statements in turn, up to a `Sync`. */
export const batch = (...statements: readonly string[]): Buffer =>
  Buffer.concat([...statements.flatMap((sql) => [parse(sql), bind(), execute()]), sync]);
