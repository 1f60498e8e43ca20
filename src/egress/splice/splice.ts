import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

export interface SplicedBytes {
  /** From the client to the other side. */
  readonly sent: number;
  readonly received: number;
}

/**
 * Result of inspecting the first bytes of a client, always all bytes so far. `refuse` sends the last bytes, if any, and
 * ends both sides.
 */
export type Inspection =
  | { readonly kind: 'more' }
  | { readonly kind: 'pass' }
  | { readonly kind: 'refuse'; readonly lastWords: Uint8Array };

export interface SpliceOptions {
  /** `onread` if the upstream socket writes to the client through `readInto`. Default: `pipe`. */
  readonly download?: 'pipe' | 'onread';
  /**
   * Inspects the client's first bytes, which wait until it returns `pass`. Bytes of the server pass, so that it may
   * speak first.
   */
  inspect?(bytes: Buffer): Inspection;
}

/**
 * Relays bytes both ways until both sides have ended, with half-closed connections and back-pressure. An error or a
 * reset on one side resets the other. Both sockets were created with `allowHalfOpen`. Never rejects.
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
 * Closes a side that has sent and received everything. The kernel still sends the bytes in its buffers. The close
 * happens in this turn of the event loop, but after the relayed bytes. Closing takes the kernel as long as opening, and
 * a client often waits for it before the next connection.
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
  // Reading may have begun earlier. The end may then have come already, and is not reported again.
  if (client.readableEnded) upstream.end();
  else client.on('data', hear).once('end', pass).resume();
}

/** Ends one side together with the other. `settle` is called when a side is closed. */
export function followSide(side: Duplex, other: Duplex, settle: () => void): void {
  const closed = (): void => {
    // This side closed before both directions had ended. It may have sent everything and be unable to receive more. A
    // waiting server would keep such a connection.
    if (!side.readableEnded || !side.writableFinished) other.destroy();
    settle();
  };
  side.once('error', () => resetSide(other));
  // A client may have gone during the dial.
  if (side.closed) closed();
  else side.once('close', closed);
}

/**
 * Ends a connection so that its peer does not take it for a regular end. Only a connection without TLS can be reset.
 */
export function resetSide(side: Duplex): void {
  if (side instanceof Socket && !(side instanceof TLSSocket)) side.resetAndDestroy();
  else side.destroy();
}
