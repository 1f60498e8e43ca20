import { type ByteSource, byteSource } from '../byte-source.ts';
import { limits } from '../limits.ts';
import { endAfterSilence, SilenceError } from '../silence.ts';
import type { Upstream } from '../message.ts';

/** An HTTP/1.1 connection to the destination. */
export interface Http1Connection {
  readonly stream: Upstream;
  readonly source: ByteSource;
}

export function http1Connection(stream: Upstream): Http1Connection {
  stream.on('error', () => undefined);
  endAfterSilence(stream, limits.silence);
  return { stream, source: byteSource(stream) };
}

/**
 * Whether another request may go out on it. Bytes that came unasked are an answer to a request of somebody else's
 * making: such a connection is never used again.
 */
export function isReusable({ stream, source }: Http1Connection): boolean {
  return stream.writable && !stream.readableEnded && source.isEmpty();
}

export function wasSilent({ stream }: Http1Connection): boolean {
  return stream.errored instanceof SilenceError;
}
