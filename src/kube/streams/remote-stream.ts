import { WebSocket } from 'ws';
import type { KubeCall, KubeTarget } from '../api/types.ts';
import { channels, encodeClose, encodeData, endOf, protocol, type RemoteEnd } from './channels.ts';
import { openSocket } from './open-socket.ts';

/** Standard streams of a command in a pod. */
export interface RemoteStream {
  /** Resolves when the bytes are on their way, so that a slow command slows its writer. Drops them after the end. */
  write(bytes: Uint8Array): Promise<void>;
  /** The command reads the end of its input. */
  endInput(): Promise<void>;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  /** Never rejects. */
  readonly ended: Promise<RemoteEnd>;
  /** Leaves without a message to the command. */
  close(): void;
}

/** Gets output in order. The next bytes wait for the promise. */
export type OnOutput = (channel: 'stdout' | 'stderr', bytes: Buffer) => Promise<void> | void;

/**
 * Opens the streams of `exec` or `attach` of a pod. Throws `HF_CLUSTER_REFUSED`, and `HF_CLUSTER_UNREACHABLE` if the
 * connection fails, also if the server is older than the protocol.
 */
export function openStream(call: KubeCall, target: KubeTarget, onOutput: OnOutput): Promise<RemoteStream> {
  const carry = (socket: WebSocket): RemoteStream => new OpenStream(socket, target, onOutput);
  return openSocket(call, target, { protocol, longest: 32 << 20, carry });
}

/** Bytes of one message: servers read small ones. */
const mostAtOnce = 32 << 10;

class OpenStream implements RemoteStream {
  readonly ended: Promise<RemoteEnd>;
  readonly #socket: WebSocket;
  #status: RemoteEnd | undefined;
  #delivered: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, { signal }: KubeTarget, onOutput: OnOutput) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#take(data, onOutput));
    this.ended = new Promise((resolve) => {
      let reason = 'the connection was cut';
      socket.on('error', ({ message }) => (reason = message));
      socket.once('close', () => {
        const lost: RemoteEnd = { kind: 'lost', reason: signal.aborted ? 'it was given up' : reason };
        void this.#delivered.then(() => resolve(this.#status ?? lost));
      });
    });
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += mostAtOnce)
      await this.#send(encodeData(channels.stdin, bytes.subarray(at, at + mostAtOnce)));
  }

  endInput(): Promise<void> {
    return this.#send(encodeClose(channels.stdin));
  }

  resize({ columns, rows }: { readonly columns: number; readonly rows: number }): void {
    const size = Buffer.from(JSON.stringify({ Width: columns, Height: rows }));
    void this.#send(encodeData(channels.resize, size));
  }

  close(): void {
    this.#socket.terminate();
  }

  #send(message: Buffer): Promise<void> {
    if (this.#socket.readyState !== WebSocket.OPEN) return Promise.resolve();
    return new Promise((resolve) => this.#socket.send(message, { binary: true }, () => resolve()));
  }

  /** A slow reader stops the socket, and the socket stops the command. */
  #take(data: Buffer, onOutput: OnOutput): void {
    const [channel] = data;
    const bytes = data.subarray(1);
    if (channel === channels.error) {
      this.#status = endOf(bytes.toString('utf8'));
      return;
    }
    if ((channel !== channels.stdout && channel !== channels.stderr) || bytes.length === 0) return;
    this.#socket.pause();
    this.#delivered = this.#delivered
      .then(() => onOutput(channel === channels.stdout ? 'stdout' : 'stderr', bytes))
      .catch(() => undefined)
      .then(() => this.#socket.resume());
  }
}
