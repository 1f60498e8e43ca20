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
  /** What the client has sent already. */
  readonly said: Buffer;
  readonly server: Duplex;
  /** Of all connections that share it. */
  readonly turn: TurnEnd;
  readonly screen: Pick<StreamScreen, 'incoming' | 'lastIncoming'>;
  fromClient(chunk: Buffer): Carried;
}

/**
 * Carries commands and answers to the end of the connection. Answers are not read: those to what is denied are the
 * server's own.
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
    // What was understood is answered first, so that the error stands where it belongs.
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

/** Reads nothing more from one side before the other has taken what it was given. */
function wait(source: Duplex, target: Duplex): void {
  source.pause();
  target.once('drain', () => void source.resume());
}

/** Writes to one side at the end of the turn. */
interface LateWriter {
  write(pieces: readonly Buffer[]): void;
  /** Writes now what waits: before the side is ended. */
  flush(): void;
}

interface LateWriterOptions {
  readonly turn: TurnEnd;
  /** The side does not keep up: nothing more should be written before `drain`. */
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
  /** What goes to the server in the place of a command that is not known. */
  readonly unknown: Buffer;
  /** What goes to the server in the place of `AUTH` or `HELLO`. */
  login(args: readonly Buffer[]): Buffer;
}

/** What of a chunk goes to the server. */
interface Carried {
  readonly pieces: readonly Buffer[];
  /** Why nothing more of the client is taken, for the client. */
  readonly problem?: string;
}

/** What a client says, chunk by chunk, with what it may not say replaced. Nothing may come after a problem. */
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

/** A phantom or a secret where it does not belong. */
class Exposed extends Error {
  override readonly name = 'Exposed';
}

function problemOf(error: unknown): string {
  if (error instanceof RespViolation) return `Protocol error: ${error.message}`;
  return `holdfast: ${error instanceof Exposed ? error.message : 'the command could not be carried'}`;
}
