import type { Duplex } from 'node:stream';
import { bothClosed, farewell, writePieces } from '../../wire/serve-ends.ts';
import type { StreamScreen } from '../../wire/stream-screen.ts';
import type { TurnEnd } from '../../wire/turn-end.ts';
import type { Named, NameIndex } from '../commands/permissions.ts';
import { CommandWalker } from '../protocol/command-walker.ts';
import { RespViolation } from '../protocol/whole-command.ts';
import { writeError } from '../protocol/write.ts';
import type { StatementLog } from './statement-log.ts';

export interface RedisRelayOptions {
  readonly client: Duplex;
  /** Bytes that the client has already sent. */
  readonly said: Buffer;
  readonly server: Duplex;
  /** Shared by all connections. */
  readonly turn: TurnEnd;
  readonly screen: Pick<StreamScreen, 'incoming' | 'lastIncoming'>;
  fromClient(chunk: Buffer): Carried;
}

/**
 * Relays commands and answers until the connection ends. Does not parse answers, because the server itself answers the
 * replaced commands with errors.
 */
export function relay({ client, said, server, turn, screen, fromClient }: RedisRelayOptions): Promise<void> {
  const toServer = createLateWriter(server, { turn, full: () => wait(client, server) });
  const toClient = createLateWriter(client, { turn, full: () => wait(server, client) });
  const endServer = (): void => {
    toServer.flush();
    farewell(server);
  };
  let parting: Buffer | undefined;
  const hearClient = (chunk: Buffer): void => {
    const { pieces, problem } = fromClient(chunk);
    toServer.write(pieces);
    if (problem === undefined) return;
    // The server answers the valid commands first, so the error comes in the right order.
    parting = writeError('ERR', problem);
    endServer();
    client.off('data', hearClient).resume();
  };
  const serverEnded = (): void => {
    toClient.write([screen.lastIncoming()]);
    toClient.flush();
    client.end(parting);
  };
  client.on('data', hearClient).once('end', endServer);
  server.on('data', (chunk: Buffer) => toClient.write([screen.incoming(chunk)])).once('end', serverEnded);
  if (said.length > 0) hearClient(said);
  if (client.readableEnded) endServer();
  if (!server.writableNeedDrain) client.resume();
  server.resume();
  return bothClosed(client, server);
}

/** Stops reading from one side until the other side has taken the bytes written to it. */
function wait(source: Duplex, target: Duplex): void {
  source.pause();
  target.once('drain', () => void source.resume());
}

/** Writes to one side at the end of an event loop turn. */
interface LateWriter {
  write(pieces: readonly Buffer[]): void;
  /** Writes the waiting bytes now, before the side is ended. */
  flush(): void;
}

interface LateWriterOptions {
  readonly turn: TurnEnd;
  /** Called when the side does not keep up. Callers should write nothing more before `drain`. */
  full(): void;
}

export function createLateWriter(target: Duplex, { turn, full }: LateWriterOptions): LateWriter {
  let waiting: Buffer[] = [];
  const flush = (): void => {
    const pieces = waiting;
    waiting = [];
    if (!writePieces(target, pieces)) full();
  };
  return {
    write(pieces) {
      for (const piece of pieces) {
        if (piece.length === 0) continue;
        waiting.push(piece);
        if (waiting.length === 1) turn.add(flush);
      }
    },
    flush,
  };
}

interface ClientSideOptions {
  readonly screen: StreamScreen;
  readonly finder: NameIndex<Named>;
  readonly log: StatementLog;
  /** Sent instead of an unknown command. */
  readonly unknown: Buffer;
  /** Returns the replacement for `AUTH` or `HELLO`. */
  login(args: readonly Buffer[]): Buffer;
}

/** The part of a chunk that goes to the server. */
interface Carried {
  readonly pieces: readonly Buffer[];
  /** The reason that no more bytes of the client are accepted, for the client. */
  readonly problem?: string;
}

/** Replaces forbidden commands in a client's stream, chunk by chunk. Must not be called after a problem. */
export function createClientSide({
  screen,
  finder,
  log,
  unknown,
  login,
}: ClientSideOptions): (chunk: Buffer) => Carried {
  let pieces: Buffer[] = [];
  const walker = new CommandWalker(finder, {
    wantsKey: () => log.wantsKey(),
    visit(permission, key) {
      const denied = permission === undefined ? unknown : permission.denied;
      log.note(permission?.command, denied === undefined ? 'allow' : 'deny', key);
      return denied ?? 'pass';
    },
    login,
    pass(bytes) {
      const screened = screen.outgoing(bytes);
      if (screened.kind === 'refused') throw new Exposed(`${screened.refusal.message}: ${screened.refusal.remedy}`);
      if (screened.bytes.length > 0) pieces.push(screened.bytes);
    },
    replace: (bytes) => void pieces.push(bytes),
  });
  return (chunk) => {
    pieces = [];
    try {
      walker.push(chunk);
      return { pieces };
    } catch (error) {
      return { pieces, problem: problemOf(error) };
    }
  };
}

/** A phantom or a secret in a command, where it does not belong. */
class Exposed extends Error {
  override readonly name = 'Exposed';
}

function problemOf(error: unknown): string {
  if (error instanceof RespViolation) return `Protocol error: ${error.message}`;
  return `holdfast: ${error instanceof Exposed ? error.message : 'the command could not be carried'}`;
}
