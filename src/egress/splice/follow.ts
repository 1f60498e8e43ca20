import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** What happens to one side happens to the other; `settle` is told when a side is closed. */
export function follow(side: Duplex, other: Duplex, settle: () => void): void {
  const closed = (): void => {
    // Closed before both directions had ended: also when it had sent all and can hear no more, or a server that waits would keep it.
    if (!side.readableEnded || !side.writableFinished) other.destroy();
    settle();
  };
  side.once('error', () => reset(other));
  // A client may have gone while the other side was dialled.
  if (side.closed) closed();
  else side.once('close', closed);
}

/** Ends a connection so that its peer does not take it for an ordinary end. Only a connection without TLS can be reset. */
export function reset(side: Duplex): void {
  if (side instanceof Socket && !(side instanceof TLSSocket)) side.resetAndDestroy();
  else side.destroy();
}
