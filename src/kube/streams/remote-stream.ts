import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { HoldfastError } from '../../errors/index.ts';
import { bodyOf, urlOf } from '../api/send-call.ts';
import { connectionError, refusalError, kubeRefusal } from '../api/failures.ts';
import type { KubeCall, KubeTarget } from '../api/types.ts';
import { channels, encodeClose, encodeData, endOf, protocol, type RemoteEnd } from './channels.ts';

/** Standard streams of a command in a pod. */
export interface RemoteStream {
  /** Resolves when the bytes are on their way, so that a slow command slows its writer. Drops them after the end. */
  write(bytes: Uint8Array): Promise<void>;
  /** The command reads the end of its input. */
  endInput(): Promise<void>;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  /** Never rejects. */
  readonly ended: Promise<RemoteEnd>;
  /** Leaves without a word to the command. */
  close(): void;
}

/** Gets output in order. The next bytes wait for the promise. */
export type OnOutput = (channel: 'stdout' | 'stderr', bytes: Buffer) => Promise<void> | void;

/**
 * Opens the streams of `exec` or `attach` of a pod. Throws `HF_CLUSTER_REFUSED`, and `HF_CLUSTER_UNREACHABLE` where the
 * connection fails, also where the server is older than the protocol.
 */
export async function openStream(call: KubeCall, target: KubeTarget, onOutput: OnOutput): Promise<RemoteStream> {
  const proof = await target.prover.prove();
  const url = urlOf(call, target.access.server);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url, [protocol], {
    headers: { 'user-agent': 'holdfast', ...proof.headers },
    ...proof.tls,
    handshakeTimeout: target.patience.answer,
    perMessageDeflate: false,
    maxPayload: 32 << 20,
    followRedirects: false,
  });
  // Before the handshake: output may come in the same packet.
  const stream = new OpenStream(socket, target, onOutput);
  await opened(socket, call, target);
  return stream;
}

function opened(socket: WebSocket, call: KubeCall, target: KubeTarget): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => socket.terminate();
    target.signal.addEventListener('abort', abort, { once: true });
    if (target.signal.aborted) abort();
    socket.once('close', () => target.signal.removeEventListener('abort', abort));
    socket.once('open', resolve);
    socket.once('unexpected-response', (request, answer: IncomingMessage) => {
      bodyOf(answer)
        .catch(() => '')
        .then((body) => reject(refusalError(kubeRefusal(answer.statusCode ?? 0, body), call, target)))
        .finally(() => request.destroy());
    });
    socket.once('error', (cause) =>
      reject(target.signal.aborted ? target.signal.reason : handshakeError(cause, call, target)),
    );
  });
}

function handshakeError(cause: Error, call: KubeCall, target: KubeTarget): HoldfastError {
  if (!/subprotocol/u.test(cause.message)) return connectionError(cause, call, target);
  return new HoldfastError('HF_CLUSTER_REFUSED', `the API server does not speak ${protocol}`, {
    remedy: 'use a cluster of Kubernetes 1.30 or later',
    cause,
  });
}

/** Bytes of one message: servers read small ones. */
const mostAtOnce = 32 << 10;
const heartbeat = 10_000;

class OpenStream implements RemoteStream {
  readonly ended: Promise<RemoteEnd>;
  readonly #socket: WebSocket;
  #status: RemoteEnd | undefined;
  #delivered: Promise<void> = Promise.resolve();
  #lastHeard = Date.now();

  constructor(socket: WebSocket, { patience, signal }: KubeTarget, onOutput: OnOutput) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#take(data, onOutput));
    socket.on('pong', () => (this.#lastHeard = Date.now()));
    const beat = setInterval(() => this.#beat(patience.answer), Math.min(heartbeat, patience.answer / 3));
    this.ended = new Promise((resolve) => {
      let reason = 'the connection was cut';
      socket.on('error', ({ message }) => (reason = message));
      socket.once('close', () => {
        clearInterval(beat);
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

  /** A reader that is slow stops the socket, and the socket the command. */
  #take(data: Buffer, onOutput: OnOutput): void {
    this.#lastHeard = Date.now();
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

  /** A server that answers no ping for too long is gone. */
  #beat(patience: number): void {
    if (this.#socket.isPaused) this.#lastHeard = Date.now();
    if (Date.now() - this.#lastHeard > patience) this.#socket.terminate();
    else if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
  }
}
