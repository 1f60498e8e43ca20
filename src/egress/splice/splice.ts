import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

export interface SplicedBytes {
  /** From the client to the other side. */
  readonly sent: number;
  readonly received: number;
}

/**
 * What to do with the first bytes of a client, all of them so far: `refuse` sends the last words, if any, and ends both
 * sides.
 */
export type Inspection =
  | { readonly kind: 'more' }
  | { readonly kind: 'pass' }
  | { readonly kind: 'refuse'; readonly lastWords: Uint8Array };

export interface SpliceOptions {
  /** `onread` when the upstream socket writes to the client by `readInto`. Default `pipe`. */
  readonly download?: 'pipe' | 'onread';
  /**
   * Nothing of the client passes before it has said `pass`; what the other side says does, so that it may speak first.
   */
  inspect?(bytes: Buffer): Inspection;
}

/**
 * Carries bytes both ways until both sides have ended, with half-closed connections and back-pressure; an error or a
 * reset on one side resets the other. Both sockets were made with `allowHalfOpen`. Never rejects.
 */
export function splice(client: Socket, upstream: Socket, options: SpliceOptions = {}): Promise<SplicedBytes> {
  const { download, inspect } = options;
  if (download === 'onread') upstream.once('end', () => finish(client));
  else upstream.pipe(client);
  upstream.resume();
  if (inspect === undefined) client.pipe(upstream);
  else inspectFirst(client, upstream, inspect);
  return new Promise((resolve) => {
    const settle = (): void => {
      if (client.destroyed && upstream.destroyed)
        resolve({ sent: upstream.bytesWritten, received: upstream.bytesRead });
    };
    followSide(client, upstream, settle);
    followSide(upstream, client, settle);
  });
}

/**
 * A side that has said all it had to, and been told all of it, is closed: the kernel sends what it still holds. In this
 * turn, but after what goes on: closing takes the kernel as long as opening, and anyone who has ended one connection
 * waits for the next.
 */
function finish(side: Socket): void {
  if (side.readableEnded && side.writableLength === 0) setImmediate(() => side.destroy());
  else side.end();
}

function inspectFirst(client: Socket, upstream: Socket, inspect: (bytes: Buffer) => Inspection): void {
  let bytes: Buffer = Buffer.alloc(0);
  const pass = (): void => {
    client.off('data', hear).off('end', pass);
    if (bytes.length > 0) upstream.write(bytes);
    if (client.readableEnded) upstream.end();
    else client.pipe(upstream);
  };
  const hear = (chunk: Buffer): void => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    const inspection = inspect(bytes);
    if (inspection.kind === 'more') return;
    if (inspection.kind === 'pass') return pass();
    client.off('data', hear).off('end', pass);
    client.end(inspection.lastWords, () => upstream.resetAndDestroy());
  };
  // Reading may have begun before: then the end may have come, and is not told again.
  if (client.readableEnded) upstream.end();
  else client.on('data', hear).once('end', pass).resume();
}

/** What happens to one side happens to the other; `settle` is told when a side is closed. */
export function followSide(side: Duplex, other: Duplex, settle: () => void): void {
  const closed = (): void => {
    // Closed before both directions had ended: also when it had sent all and can hear no more, or a server that waits
    // would keep it.
    if (!side.readableEnded || !side.writableFinished) other.destroy();
    settle();
  };
  side.once('error', () => resetSide(other));
  // A client may have gone while the other side was dialled.
  if (side.closed) closed();
  else side.once('close', closed);
}

/**
 * Ends a connection so that its peer does not take it for an ordinary end. Only a connection without TLS can be reset.
 */
export function resetSide(side: Duplex): void {
  if (side instanceof Socket && !(side instanceof TLSSocket)) side.resetAndDestroy();
  else side.destroy();
}
