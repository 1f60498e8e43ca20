import type { Readable } from 'node:stream';

/** Bytes of a stream, pulled: nothing is read beyond the stream's own buffer until somebody asks. */
export interface ByteSource {
  /** The next bytes, or undefined after the last. Rejects when the stream broke. One reader at a time. */
  read(): Promise<Buffer | undefined>;
  /** Puts bytes back to be read first. At most once between two reads. */
  unread(bytes: Buffer): void;
  /** Whether there is nothing to read at this moment. */
  isEmpty(): boolean;
  /** Gives the stream back with everything unread still in it, for somebody else to read. */
  detach(): void;
}

export function byteSource(stream: Readable): ByteSource {
  let kept: Buffer | undefined;
  let wake: (() => void) | undefined;
  const ring = (): void => {
    const waiting = wake;
    wake = undefined;
    if (waiting !== undefined) waiting();
    // Reading an empty buffer is how a stream notices its end while nobody is waiting for bytes.
    else if (stream.readableLength === 0 && !stream.readableEnded) stream.read();
  };
  const events = ['readable', 'end', 'error', 'close'] as const;
  for (const event of events) stream.on(event, ring);

  return {
    async read() {
      if (kept !== undefined) {
        const bytes = kept;
        kept = undefined;
        return bytes;
      }
      for (;;) {
        const bytes = stream.read() as Buffer | null;
        if (bytes !== null) return bytes;
        if (stream.errored !== null) throw stream.errored;
        if (stream.readableEnded) return undefined;
        if (stream.destroyed) throw new Error('The connection was closed.');
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    unread(bytes) {
      if (bytes.length > 0) kept = bytes;
    },
    isEmpty: () => kept === undefined && stream.readableLength === 0,
    detach() {
      for (const event of events) stream.off(event, ring);
      if (kept !== undefined && !stream.readableEnded && !stream.destroyed) stream.unshift(kept);
      kept = undefined;
    },
  };
}
