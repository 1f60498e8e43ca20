import type { Duplex } from 'node:stream';

/** A stream that reports silence: a socket, a TLS socket or an HTTP/2 stream. */
interface Timed {
  setTimeout(milliseconds: number): unknown;
}

/** Destroys a stream after this long without any data. A later call replaces the time. */
export function endAfterSilence(stream: Duplex, milliseconds: number): void {
  if (!isTimed(stream)) return;
  if (!stream.listeners('timeout').includes(destroySilent)) stream.on('timeout', destroySilent);
  stream.setTimeout(milliseconds);
}

export class SilenceError extends Error {}

function destroySilent(this: Duplex): void {
  this.destroy(new SilenceError('No data moved on the connection for too long.'));
}

function isTimed(stream: Duplex): stream is Duplex & Timed {
  return 'setTimeout' in stream && typeof stream.setTimeout === 'function';
}
