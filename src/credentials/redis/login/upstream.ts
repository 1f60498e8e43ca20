import type { Duplex, Readable } from 'node:stream';
import { byteSource } from '../../../egress/http/byte-source.ts';
import type { BrokerWays } from '../../../egress/types.ts';
import { redisLimits, readWholeCommand, RespViolation } from '../protocol/whole-command.ts';
import { writeCommand } from '../protocol/write.ts';
import { RedisLoginFailure } from './login-command.ts';

export interface UpstreamLogin {
  readonly ways: BrokerWays;
  readonly tls: 'verify-full' | 'disable';
  readonly credential: string;
  /** Absent: the server's default user. */
  readonly user: string | undefined;
  readonly password: string;
  /** Gets the connection as soon as it exists, so that the caller can end it. */
  opened(server: Duplex): void;
}

/**
 * Returns a connection to a server that has accepted the secret. If `tls` requires it, the server proves its name
 * first.
 */
export async function logInRedis(login: UpstreamLogin): Promise<Duplex> {
  const server = await open(login);
  const reader = commandReader(server);
  server.write(authCommand(login));
  const answer = await answerOf(reader);
  reader.detach();
  if (answer !== '+OK') throw refusedBy(login, answer);
  return server;
}

/**
 * Returns the login command with the secret. Leaves out the user `default`, because servers before version 6 have no
 * users.
 */
export function authCommand({ user, password }: Pick<UpstreamLogin, 'user' | 'password'>): Buffer {
  return writeCommand(user === undefined || user === 'default' ? ['AUTH', password] : ['AUTH', user, password]);
}

async function open({ ways, tls, opened }: UpstreamLogin): Promise<Duplex> {
  const dialled = await ways.dial();
  if (dialled.kind === 'refused')
    throw new RedisLoginFailure({ code: 'ERR', message: dialled.refusal.message, remedy: dialled.refusal.remedy });
  opened(dialled.socket);
  if (tls === 'disable') return dialled.socket;
  const secured = await ways.secure(dialled.socket);
  if (secured.kind === 'refused')
    throw new RedisLoginFailure({ code: 'ERR', message: secured.refusal.message, remedy: secured.refusal.remedy });
  opened(secured.socket);
  return secured.socket;
}

async function answerOf(reader: ReturnType<typeof commandReader>): Promise<string> {
  const broken = new RedisLoginFailure(
    {
      code: 'ERR',
      message: 'the connection to the server broke during the login',
      remedy: "see the server's log, and connect again",
    },
    'upstream-protocol',
  );
  try {
    const line = await reader.line();
    if (line === undefined) throw broken;
    return line;
  } catch (error) {
    throw error instanceof RespViolation
      ? new RedisLoginFailure(
          {
            code: 'ERR',
            message: "the server's answer to the login is not a Redis answer",
            remedy: 'check the service at that address',
          },
          'upstream-protocol',
        )
      : broken;
  }
}

/**
 * Returns only the first word of the server's error. The rest may repeat the secret, because version 5 repeats the
 * arguments of unknown commands.
 */
function refusedBy({ credential }: UpstreamLogin, answer: string): RedisLoginFailure {
  const word = /^-([A-Z]{2,20})(?: |$)/u.exec(answer)?.[1];
  if (word === undefined)
    return new RedisLoginFailure(
      {
        code: 'ERR',
        message: "the server's answer to the login is not a Redis answer",
        remedy: 'check the service at that address',
      },
      'upstream-protocol',
    );
  return new RedisLoginFailure(
    {
      code: word,
      message: `the server refused the secret of the credential "${credential}" (${word})`,
      remedy: "check the credential's source and user, and that the server asks for a password",
    },
    'credential-unavailable',
  );
}

/** Reads a stream step by step while both sides take turns. Rejects if the stream breaks, and on an invalid command. */
export interface CommandReader {
  /** Returns the first octet without consuming it. Undefined if the stream has ended. */
  peek(): Promise<number | undefined>;
  /** Returns the arguments of the next command. Undefined if the stream has ended. Skips blank lines. */
  command(): Promise<readonly Buffer[] | undefined>;
  /** Returns the next line, without CR LF. Undefined if the stream ended first. */
  line(): Promise<string | undefined>;
  /** Releases the stream, with the unread bytes still in it. */
  detach(): void;
  /**
   * Releases the stream and returns the unread bytes. They are not put back, because the stream of a client that has
   * sent everything may have ended.
   */
  rest(): Promise<Buffer>;
}

export function commandReader(stream: Readable): CommandReader {
  const source = byteSource(stream);
  let bytes: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const chunk = await source.read();
    if (chunk !== undefined) bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    return chunk !== undefined;
  };
  return {
    async peek() {
      while (bytes.length === 0) if (!(await more())) return undefined;
      return bytes[0];
    },
    async command() {
      for (;;) {
        const read = bytes.length === 0 ? undefined : readWholeCommand(bytes, 0);
        if (read !== undefined) bytes = bytes.subarray(read.end);
        if (read !== undefined && read.args.length > 0) return read.args;
        if (read === undefined && !(await more())) return undefined;
      }
    },
    async line() {
      for (;;) {
        const end = bytes.indexOf('\r\n');
        if (end > redisLimits.line || (end < 0 && bytes.length > redisLimits.line))
          throw new RespViolation('a line that is too long');
        if (end >= 0) {
          const line = bytes.toString('latin1', 0, end);
          bytes = bytes.subarray(end + 2);
          return line;
        }
        if (!(await more())) return undefined;
      }
    },
    async rest() {
      while (!source.isEmpty()) await more();
      source.detach();
      return bytes;
    },
    detach() {
      source.unread(bytes);
      bytes = Buffer.alloc(0);
      source.detach();
    },
  };
}
