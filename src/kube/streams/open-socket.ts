import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { HoldfastError } from '../../errors/index.ts';
import { connectionError, kubeRefusal, refusalError } from '../api/failures.ts';
import { bodyOf, urlOf } from '../api/send-call.ts';
import type { KubeCall, KubeTarget } from '../api/types.ts';

export interface SocketKind<Carried> {
  /** The subprotocol. */
  readonly protocol: string;
  /** Bytes of one message. A longer one ends the connection. */
  readonly longest: number;
  /** Gets the socket before the handshake: messages may come in the same packet. */
  readonly carry: (socket: WebSocket) => Carried;
}

/**
 * Opens a WebSocket to a subresource of a pod. Silence ends it. Throws `HF_CLUSTER_REFUSED`, and
 * `HF_CLUSTER_UNREACHABLE` if the connection fails.
 */
export async function openSocket<Carried>(
  call: KubeCall,
  target: KubeTarget,
  { protocol, longest, carry }: SocketKind<Carried>,
): Promise<Carried> {
  const proof = await target.prover.prove();
  const url = urlOf(call, target.access.server);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url, [protocol], {
    headers: { 'user-agent': 'holdfast', ...proof.headers },
    ...proof.tls,
    handshakeTimeout: target.patience.answer,
    perMessageDeflate: false,
    maxPayload: longest,
    followRedirects: false,
  });
  endSilence(socket, target.patience.answer);
  const carried = carry(socket);
  await opened(socket, call, { target, protocol });
  return carried;
}

interface Opening {
  readonly target: KubeTarget;
  readonly protocol: string;
}

function opened(socket: WebSocket, call: KubeCall, { target, protocol }: Opening): Promise<void> {
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
      reject(
        target.signal.aborted
          ? target.signal.reason
          : /subprotocol/u.test(cause.message)
            ? olderServer(cause, protocol)
            : connectionError(cause, call, target),
      ),
    );
  });
}

function olderServer(cause: Error, protocol: string): HoldfastError {
  return new HoldfastError('HF_CLUSTER_REFUSED', `the API server does not speak ${protocol}`, {
    remedy: 'use a cluster of Kubernetes 1.30 or later',
    cause,
  });
}

const heartbeat = 10_000;

/** A server that answers no ping for too long is gone. A socket that waits for its reader is not silent. */
function endSilence(socket: WebSocket, patience: number): void {
  let lastHeard = Date.now();
  const heard = (): void => void (lastHeard = Date.now());
  const beat = (): void => {
    if (socket.isPaused) heard();
    if (Date.now() - lastHeard > patience) socket.terminate();
    else if (socket.readyState === WebSocket.OPEN) socket.ping();
  };
  const beats = setInterval(beat, Math.min(heartbeat, patience / 3));
  socket.on('message', heard).on('pong', heard);
  socket.once('close', () => clearInterval(beats));
}
