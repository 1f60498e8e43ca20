import type { Duplex } from 'node:stream';
import { type ClientHello, type ClientHelloParse, parseClientHello } from './client-hello.ts';

/** Reason that there is no hello: the parser's reasons, or the connection ended, broke, or was too slow. */
export type NoClientHello =
  | Exclude<ClientHelloParse, { readonly kind: 'hello' | 'incomplete' }>
  | { readonly kind: 'ended' }
  | { readonly kind: 'too-slow' };

export type ReadClientHello = { readonly kind: 'hello'; readonly hello: ClientHello } | NoClientHello;

/**
 * Reads until the hello is complete or cannot become one. Then puts every byte back, so that the next reader sees the
 * connection from its start.
 */
export function readClientHello(socket: Duplex, signal: AbortSignal): Promise<ReadClientHello> {
  return new Promise((resolve) => {
    let seen: Uint8Array = new Uint8Array();
    const onReadable = (): void => {
      for (let chunk = nextChunk(socket); chunk !== undefined; chunk = nextChunk(socket))
        seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
      const parse = parseClientHello(seen);
      if (parse.kind !== 'incomplete') settle(parse);
    };
    const onEnd = (): void => settle({ kind: 'ended' });
    const onAbort = (): void => settle({ kind: 'too-slow' });
    const settle = (outcome: ReadClientHello): void => {
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd);
      signal.removeEventListener('abort', onAbort);
      if (seen.length > 0 && !socket.readableEnded && !socket.destroyed) socket.unshift(seen);
      resolve(outcome);
    };
    socket.on('readable', onReadable).on('end', onEnd).on('close', onEnd);
    signal.addEventListener('abort', onAbort);
    if (socket.destroyed || socket.readableEnded) settle({ kind: 'ended' });
  });
}

function nextChunk(socket: Duplex): Buffer | undefined {
  const chunk: unknown = socket.read();
  return chunk instanceof Buffer ? chunk : undefined;
}
