import type { Destination } from '../../types.ts';
import { type ByteSource, byteSource } from '../byte-source.ts';
import { httpLimits } from '../limits.ts';
import type { Scheme, Upstream } from '../message.ts';
import { endAfterSilence, SilenceError } from '../silence.ts';

/**
 * Open HTTP/1.1 connections whose clients are gone, kept for the next client of the same destination. A program that
 * starts again for every request then needs one TLS handshake, not one for each. Only requests that can safely be
 * repeated use them.
 */
export interface IdleConnections {
  take(destination: Destination, scheme: Scheme): Http1Connection | undefined;
  /** Takes over a connection between two requests. Closes it if enough are kept already. */
  give(connection: Http1Connection, destination: Destination, scheme: Scheme): void;
  close(): void;
}

export interface IdleOptions {
  /** Most connections to one destination. Default: 4. */
  readonly each?: number;
  /** Most connections in all. Default: 64. */
  readonly all?: number;
  /**
   * Milliseconds until an unused one is closed. Default: 10,000, because an address is not trusted for longer than its
   * DNS answer.
   */
  readonly keep?: number;
}

interface Shelved {
  readonly key: string;
  readonly connection: Http1Connection;
  /** Stops waiting for the time limit and for a close by the destination. */
  readonly release: () => void;
}

export function createIdleConnections({ each = 4, all = 64, keep = 10_000 }: IdleOptions = {}): IdleConnections {
  const shelved = new Set<Shelved>();
  const shelf = (key: string): readonly Shelved[] => [...shelved].filter((entry) => entry.key === key);

  return {
    take(destination, scheme) {
      for (const entry of shelf(keyOf(destination, scheme)).toReversed()) {
        shelved.delete(entry);
        entry.release();
        if (isReusable(entry.connection)) return entry.connection;
        entry.connection.stream.destroy();
      }
      return undefined;
    },
    give(connection, destination, scheme) {
      const { stream } = connection;
      const key = keyOf(destination, scheme);
      if (!isReusable(connection) || shelved.size >= all || shelf(key).length >= each) return void stream.destroy();
      const onClose = (): void => void shelved.delete(entry);
      const timer = setTimeout(() => stream.destroy(), keep).unref();
      const release = (): void => {
        clearTimeout(timer);
        stream.off('close', onClose);
      };
      const entry: Shelved = { key, connection, release };
      stream.on('close', onClose);
      shelved.add(entry);
    },
    close() {
      for (const { connection } of shelved) connection.stream.destroy();
    },
  };
}

function keyOf({ host, port }: Destination, scheme: Scheme): string {
  return `${scheme} ${host} ${port}`;
}

/** An HTTP/1.1 connection to the destination. */
export interface Http1Connection {
  readonly stream: Upstream;
  readonly source: ByteSource;
}

export function http1Connection(stream: Upstream): Http1Connection {
  stream.on('error', () => undefined);
  endAfterSilence(stream, httpLimits.silence);
  return { stream, source: byteSource(stream) };
}

/**
 * Returns true if it may carry another request. Bytes that nobody requested would become the answer to someone else's
 * request, so such a connection is never reused.
 */
export function isReusable({ stream, source }: Http1Connection): boolean {
  return stream.writable && !stream.readableEnded && source.isEmpty();
}

export function wasSilent({ stream }: Http1Connection): boolean {
  return stream.errored instanceof SilenceError;
}
