import { connect, type OnReadOpts, type Socket } from 'node:net';

export interface Attempt {
  /** Ends it, whether it has connected or not. */
  cancel(): void;
}

export type AttemptOutcome = { readonly kind: 'connected'; readonly socket: Socket; readonly address: string } | { readonly kind: 'failed'; readonly address: string; readonly code: string };

export interface AttemptOptions {
  readonly port: number;
  readonly onread?: OnReadOpts | undefined;
  /** Told how it went, and of each thing that befalls the connection later on: the first counts. */
  onOutcome(outcome: AttemptOutcome): void;
}

/** A minute: shorter than the idle time after which middleboxes forget a connection. */
const keepAliveDelay = 60_000;

/** One connection to one address literal, so that Node looks nothing up. It comes paused: nobody reads it yet. */
export function attempt(address: string, { port, onread, onOutcome }: AttemptOptions): Attempt {
  const socket = connect({ host: address, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveDelay, allowHalfOpen: true, ...(onread === undefined ? {} : { onread }) });
  socket.pause();
  socket.once('connect', () => onOutcome({ kind: 'connected', socket, address }));
  // Stays for good: a reset between the connection and its first reader would otherwise end the process.
  socket.on('error', (error: NodeJS.ErrnoException) => onOutcome({ kind: 'failed', address, code: error.code ?? 'unknown' }));
  socket.once('close', () => onOutcome({ kind: 'failed', address, code: 'ECANCELED' }));
  return { cancel: () => void socket.destroy() };
}
