import { connect, type OnReadOpts, type Socket } from 'node:net';

export interface Attempt {
  readonly address: string;
  /** Never rejects. */
  readonly outcome: Promise<AttemptOutcome>;
  /** Ends it, whether it has connected or not. */
  cancel(): void;
}

export type AttemptOutcome = { readonly kind: 'connected'; readonly socket: Socket; readonly address: string } | { readonly kind: 'failed'; readonly address: string; readonly code: string };

export interface AttemptOptions {
  readonly port: number;
  readonly onread?: OnReadOpts | undefined;
}

/** A minute: shorter than the idle time after which middleboxes forget a connection. */
const keepAliveDelay = 60_000;

/** One connection to one address literal, so that Node looks nothing up. It comes paused: nobody reads it yet. */
export function attempt(address: string, { port, onread }: AttemptOptions): Attempt {
  const socket = connect({ host: address, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveDelay, allowHalfOpen: true, ...(onread === undefined ? {} : { onread }) });
  socket.pause();
  const outcome = new Promise<AttemptOutcome>((resolve) => {
    socket.once('connect', () => resolve({ kind: 'connected', socket, address }));
    // Stays for good: a reset between the connection and its first reader would otherwise end the process.
    socket.on('error', (error: NodeJS.ErrnoException) => resolve({ kind: 'failed', address, code: error.code ?? 'unknown' }));
    socket.once('close', () => resolve({ kind: 'failed', address, code: 'ECANCELED' }));
  });
  return { address, outcome, cancel: () => void socket.destroy() };
}
