import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { KubeCall, KubeTarget } from '../api/types.ts';
import { encodeForwarded, ForwardFrames, forwardProtocol } from './forward-frames.ts';
import { openSocket } from './open-socket.ts';

/** The end of a forwarded connection. */
export type ForwardedEnd =
  /** `answered`: bytes came from the pod. `silent`: the pod ended the connection without any. */
  | { readonly kind: 'closed'; readonly pod: 'answered' | 'silent' }
  /** This machine's side ended first. */
  | { readonly kind: 'left' }
  /** The node could not connect, or lost the connection. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'lied'; readonly what: string }
  | { readonly kind: 'lost'; readonly reason: string };

/** Bytes of one message. Nodes send 32 KiB at most. */
const longest = 1 << 20;

/**
 * Carries one connection of this machine to a port of a pod, at the pace of the slower side. `client` is paused, and
 * was created with `allowHalfOpen`. Throws as `openSocket` does, and then leaves `client` to the caller.
 */
export async function forwardConnection(
  { client, port }: { readonly client: Socket; readonly port: number },
  call: KubeCall,
  target: KubeTarget,
): Promise<ForwardedEnd> {
  const carry = (socket: WebSocket): Carrier => new Carrier(socket, client, port);
  const carrier = await openSocket(call, target, { protocol: forwardProtocol, longest, carry });
  carrier.start();
  return carrier.ended;
}

/** Milliseconds of silence after the end of the client's bytes. The protocol has no message for that end. */
const lastAnswer = 30_000;

class Carrier {
  readonly ended: Promise<ForwardedEnd>;
  readonly #socket: WebSocket;
  readonly #client: Socket;
  readonly #frames: ForwardFrames;
  #end: ForwardedEnd | undefined;
  #received = 0;
  #patience: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, client: Socket, port: number) {
    this.#socket = socket;
    this.#client = client;
    this.#frames = new ForwardFrames(port);
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#take(data, isBinary ? 'binary' : 'text'));
    this.ended = new Promise((resolve) => {
      let reason: string | undefined;
      socket.on('error', ({ message }) => (reason = message));
      socket.once('close', (code) => {
        clearTimeout(this.#patience);
        resolve(this.#settle(code, reason));
      });
    });
  }

  start(): void {
    const client = this.#client;
    client.on('data', (bytes: Buffer) => {
      client.pause();
      this.#socket.send(encodeForwarded(bytes), { binary: true }, () => client.resume());
    });
    client.on('drain', () => this.#socket.resume());
    client.once('end', () => this.#awaitLastAnswer());
    client.once('close', () => this.#finish({ kind: 'left' }));
    if (client.destroyed) this.#finish({ kind: 'left' });
    else client.resume();
  }

  #take(data: Buffer, form: 'binary' | 'text'): void {
    if (this.#end !== undefined) return;
    const frame = form === 'binary' ? this.#frames.take(data) : ({ kind: 'lie', what: 'a message of text' } as const);
    if (frame.kind === 'lie') return this.#finish({ kind: 'lied', what: frame.what });
    if (frame.kind === 'error' || frame.bytes.length === 0) return;
    this.#received += frame.bytes.length;
    if (this.#patience !== undefined) this.#awaitLastAnswer();
    if (!this.#client.write(frame.bytes)) this.#socket.pause();
  }

  #awaitLastAnswer(): void {
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.#finish({ kind: 'left' }), lastAnswer).unref();
  }

  #finish(end: ForwardedEnd): void {
    this.#end ??= end;
    this.#socket.terminate();
  }

  /**
   * The node ends a connection in order after its last bytes. Any other end resets the client, as a lost host would.
   */
  #settle(code: number, reason: string | undefined): ForwardedEnd {
    const end = this.#end ?? this.#endOf(code, reason);
    // Later events of the client change nothing.
    this.#end = end;
    const client = this.#client;
    if (end.kind === 'left') client.destroy();
    else if (end.kind === 'closed') client.setTimeout(lastAnswer, () => client.destroy()).end();
    else client.resetAndDestroy();
    return end;
  }

  #endOf(code: number, reason: string | undefined): ForwardedEnd {
    const { error } = this.#frames;
    if (error !== '') return { kind: 'failed', message: error };
    if (reason !== undefined && /payload|frame|opcode|RSV|UTF-8|MASK/iu.test(reason))
      return { kind: 'lied', what: `a broken message (${reason})` };
    // 1005: a close without a code. 1006: none, so the connection was cut.
    if (code === 1000 || code === 1005) return { kind: 'closed', pod: this.#received > 0 ? 'answered' : 'silent' };
    return { kind: 'lost', reason: reason ?? 'the connection was cut' };
  }
}
