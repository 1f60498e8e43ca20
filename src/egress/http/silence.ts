import type { Duplex } from 'node:stream';

/** A stream that reports silence: sockets, TLS sockets and HTTP/2 streams. */
interface Timed {
  setTimeout(milliseconds: number): unknown;
}

/** Destroys a stream on which nothing moves for so long. A later call replaces the time. */
export function endAfterSilence(stream: Duplex, milliseconds: number): void {
  if (!isTimed(stream)) return;
  if (!stream.listeners('timeout').includes(destroySilent)) stream.on('timeout', destroySilent);
  stream.setTimeout(milliseconds);
}

export class SilenceError extends Error {}

function destroySilent(this: Duplex): void {
  this.destroy(new SilenceError('Nothing moved on the connection for too long.'));
}

function isTimed(stream: Duplex): stream is Duplex & Timed {
  return 'setTimeout' in stream && typeof stream.setTimeout === 'function';
}
