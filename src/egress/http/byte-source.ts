import type { Readable } from 'node:stream';

/** The bytes of a stream, pulled chunk by chunk as they arrived. Reads only a little ahead. */
export interface ByteSource {
  /** Returns the next bytes, or undefined after the last. Rejects if the stream broke. One reader at a time. */
  read(): Promise<Buffer | undefined>;
  /** Puts bytes back to be read first. */
  unread(bytes: Buffer): void;
  /** Returns true if there is nothing to read at the moment. */
  isEmpty(): boolean;
  /** Releases the stream, with all unread bytes still in it. */
  detach(): void;
}

/**
 * Octets to read ahead before the stream has to wait. Large enough not to pause and resume the stream for every chunk.
 */
const ahead = 128 * 1024;

/** Listens for chunks. `read()` on a paused stream would copy all of them into one, which halves the speed. */
export function byteSource(stream: Readable): ByteSource {
  let queue: Buffer[] = [];
  let queued = 0;
  let wake: (() => void) | undefined;

  const ring = (): void => {
    const waiting = wake;
    wake = undefined;
    waiting?.();
  };
  const hear = (bytes: Buffer): void => {
    queue.push(bytes);
    queued += bytes.length;
    if (queued > ahead) stream.pause();
    ring();
  };
  const next = (): Buffer | undefined => {
    const bytes = queue.shift();
    if (bytes !== undefined) queued -= bytes.length;
    return bytes;
  };
  const endings = ['end', 'error', 'close'] as const;
  for (const event of endings) stream.on(event, ring);
  stream.on('data', hear);

  return {
    async read() {
      for (;;) {
        const bytes = next();
        if (bytes !== undefined) return bytes;
        if (stream.errored !== null) throw stream.errored;
        if (stream.readableEnded) return undefined;
        if (stream.destroyed) throw new Error('The connection was closed.');
        if (stream.isPaused()) stream.resume();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    unread(bytes) {
      if (bytes.length === 0) return;
      queue.unshift(bytes);
      queued += bytes.length;
    },
    isEmpty: () => queued === 0,
    detach() {
      stream.pause();
      stream.off('data', hear);
      for (const event of endings) stream.off(event, ring);
      if (queued > 0 && !stream.readableEnded && !stream.destroyed) stream.unshift(Buffer.concat(queue));
      queue = [];
      queued = 0;
    },
  };
}
