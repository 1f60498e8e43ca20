import type { Socket } from 'node:net';

export interface SplicedBytes {
  /** From the client to the other side. */
  readonly sent: number;
  readonly received: number;
}

export interface SpliceOptions {
  /** Bytes of the client that were read before. */
  readonly head?: Uint8Array;
  /** `onread` when the upstream socket writes to the client by `readInto`. Default `pipe`. */
  readonly download?: 'pipe' | 'onread';
}

/**
 * Carries bytes both ways until both sides have ended, with half-closed connections and back-pressure; an error or a
 * reset on one side resets the other. Both sockets were made with `allowHalfOpen`. Never rejects.
 */
export function splice(client: Socket, upstream: Socket, { head, download }: SpliceOptions = {}): Promise<SplicedBytes> {
  if (head !== undefined && head.length > 0) upstream.write(head);
  client.pipe(upstream);
  if (download === 'onread') upstream.once('end', () => client.end());
  else upstream.pipe(client);
  upstream.resume();
  return new Promise((resolve) => {
    const settle = (): void => {
      if (client.destroyed && upstream.destroyed) resolve({ sent: upstream.bytesWritten, received: upstream.bytesRead });
    };
    follow(client, upstream, settle);
    follow(upstream, client, settle);
  });
}

/** What happens to one side happens to the other. */
function follow(side: Socket, other: Socket, settle: () => void): void {
  side.once('error', () => other.resetAndDestroy());
  side.once('close', () => {
    if (!side.readableEnded) other.destroy();
    settle();
  });
}
