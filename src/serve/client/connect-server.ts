import { connect, type Socket } from 'node:net';
import { isOwnPeer, withAddress } from '../../approvals/socket/socket-place.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { TerminalSize } from '../../session/commands/command-handle.ts';
import { socketName } from '../place.ts';
import type { ServeRequest, Results } from '../requests/index.ts';
import { WireChannel, type StreamPiece } from '../wire/channel.ts';
import { FrameSocket } from '../wire/frame-socket.ts';
import { type Frame, malformedFrame } from '../wire/frame.ts';
import { encodeJson, errorOf, serveVersion, readMessage, serverWord } from '../wire/messages.ts';

/** A connection to this user's server, for any number of concurrent requests. */
export interface ServerConnection {
  /** Throws `HF_SERVE_LIMIT` for a request that is too long. */
  call<R extends ServeRequest>(request: R): ClientCall<Results[R['kind']]>;
  /** Closes the connection. Unanswered requests fail, and their foreground commands end. */
  close(): void;
}

/**
 * Connects to the server whose socket is in `runtime`, as in `StatePaths`. Rejects with `HF_SERVE_ABSENT` if none runs,
 * or if someone else listens, and with `HF_SERVE_PROTOCOL` for another version.
 *
 * @example
 * const server = await connectServer({ runtime: '/run/user/1000/holdfast' });
 * const { sessions } = await server.call({ kind: 'ps' }).result;
 */
export async function connectServer({
  runtime,
  name = socketName,
}: {
  readonly runtime: string;
  readonly name?: string;
}): Promise<ServerConnection> {
  const socket = await reach(runtime, name);
  if (isOwnPeer(socket)) return await new Connection(socket).greeted;
  // Attack: another user, or a box, listens there to read commands and variables.
  socket.destroy();
  throw absent('the listener there belongs to another user, or to a box');
}

class Connection implements ServerConnection {
  readonly greeted: Promise<ServerConnection>;
  readonly #frames: FrameSocket;
  readonly #calls = new Map<number, ClientCall<unknown>>();
  #settle:
    | { readonly resolve: (greeted: ServerConnection) => void; readonly reject: (error: unknown) => void }
    | undefined;
  #failure: unknown = new HoldfastError('HF_SERVE_LOST', 'the server closed the connection before it answered', {
    remedy: 'run `holdfast ps` to see whether it is running',
  });
  #last = 0;

  constructor(socket: Socket) {
    this.greeted = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    this.#frames = new FrameSocket(socket, {
      hear: (frame) => this.#hear(frame),
      failed: (error) => this.#fail(error),
      closed: () => this.#lose(),
    });
    this.#frames.send({
      type: 'message',
      channel: 0,
      payload: encodeJson({ kind: 'hello', version: serveVersion }),
    });
  }

  call<R extends ServeRequest>(request: R): ClientCall<Results[R['kind']]> {
    const number = (this.#last += 1);
    const call = new ClientCall<unknown>(new WireChannel(this.#frames, number));
    this.#frames.send({ type: 'message', channel: number, payload: encodeJson(request) });
    this.#calls.set(number, call);
    if (this.#frames.isClosed) call.fail(this.#failure);
    return call as ClientCall<Results[R['kind']]>;
  }

  close(): void {
    this.#frames.destroy();
  }

  #hear(frame: Frame): void {
    if (frame.channel === 0) return this.#greet(frame);
    const call = this.#calls.get(frame.channel);
    if (call === undefined) throw malformedFrame('an answer without a request');
    if (call.hear(frame) === 'over') this.#calls.delete(frame.channel);
  }

  #greet({ type, payload }: Frame): void {
    if (type !== 'message') throw malformedFrame(`a ${type} of no request`);
    const word = readMessage(serverWord, payload);
    if (word.kind === 'error') this.#failure = errorOf(word.error);
    if (word.kind !== 'hello') return;
    if (word.version !== serveVersion) throw malformedFrame(`version ${word.version}`);
    this.#settle?.resolve(this);
    this.#settle = undefined;
  }

  #fail(error: unknown): void {
    this.#failure = error;
    this.#frames.destroy();
  }

  #lose(): void {
    this.#settle?.reject(this.#failure);
    this.#settle = undefined;
    for (const call of this.#calls.values()) call.fail(this.#failure);
    this.#calls.clear();
  }
}

async function reach(runtime: string, name: string): Promise<Socket> {
  try {
    return await withAddress(
      runtime,
      name,
      (path) =>
        new Promise((resolve, reject) => {
          const socket = connect({ path });
          socket.once('error', reject).once('connect', () => {
            socket.off('error', reject);
            resolve(socket);
          });
        }),
    );
  } catch (error) {
    throw absent(
      (error instanceof Error ? error.message : String(error)).replace(/^connect ENOENT/u, 'there is no'),
      error,
    );
  }
}

function absent(why: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_SERVE_ABSENT', `your server is not running (${why})`, {
    remedy: 'start it with `holdfast serve --detach`',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A request of this client. */
export class ClientCall<Result> {
  /** The answer. Rejects with the `HoldfastError` of the server, and with `HF_SERVE_LOST`. */
  readonly result: Promise<Result>;
  readonly #channel: WireChannel;
  readonly #notes: unknown[] = [];
  #listener: ((note: unknown) => void) | undefined;
  #settle: { readonly resolve: (result: Result) => void; readonly reject: (error: unknown) => void } | undefined;

  constructor(channel: WireChannel) {
    this.#channel = channel;
    this.result = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    // A caller may read the output before it awaits the answer.
    this.result.catch(() => undefined);
  }

  /** Yields the command's output for one reader, at whose pace the command prints. Ends with the answer. */
  output(): AsyncGenerator<StreamPiece, void> {
    return this.#channel.read();
  }

  /**
   * Writes input for the command. Resolves once there is room for more, or with `lost` if the command takes no more
   * input.
   */
  write(data: Buffer): Promise<'sent' | 'lost'> {
    return this.#channel.write('stdin', data);
  }

  /** Ends the input. */
  endInput(): void {
    this.#channel.writeEnd();
  }

  signal(signal: NodeJS.Signals): void {
    this.#channel.message({ kind: 'signal', signal });
  }

  resize(size: TerminalSize): void {
    this.#channel.message({ kind: 'resize', size });
  }

  /** Stops watching. The command continues. */
  leave(): void {
    this.#channel.message({ kind: 'leave' });
  }

  /** Calls `hear` with notes before the answer, including earlier ones. */
  onNote(hear: (note: unknown) => void): void {
    this.#listener = hear;
    for (const note of this.#notes.splice(0)) hear(note);
  }

  /** Called by the connection. Throws `HF_SERVE_PROTOCOL`. */
  hear(frame: Frame): 'going' | 'over' {
    if (frame.type !== 'message') {
      this.#channel.hear(frame, ['stdout', 'stderr']);
      return 'going';
    }
    const word = readMessage(serverWord, frame.payload);
    if (word.kind === 'hello') throw malformedFrame('hello twice');
    if (word.kind === 'note') {
      if (this.#listener === undefined) this.#notes.push(word.note);
      else this.#listener(word.note);
      return 'going';
    }
    if (word.kind === 'result') this.#settle?.resolve(word.result as Result);
    else this.#settle?.reject(errorOf(word.error));
    this.#channel.close();
    return 'over';
  }

  /** Called by the connection once it is gone. */
  fail(error: unknown): void {
    this.#settle?.reject(error);
    this.#channel.close();
  }
}
