import type { Socket } from 'node:net';
import { byteSource } from '../http/byte-source.ts';
import type { Parsed, Parser } from './parser.ts';

/** `ended`: the client left, or was too slow. */
export type Read<Value> = Exclude<Parsed<Value>, { readonly kind: 'incomplete' }> | { readonly kind: 'ended' };

/** What a client sends before it is handed on. */
export interface ClientBytes {
  /** The next message. Its parser has to bound what it is ready to hold. */
  read<Value>(parser: Parser<Value>): Promise<Read<Value>>;
  /** Gives the socket back, with `first` and then everything unread to be read from it. */
  release(first?: Buffer): void;
}

export function clientBytes(client: Socket): ClientBytes {
  const source = byteSource(client);
  let unread: Buffer = Buffer.alloc(0);
  return {
    async read(parser) {
      for (;;) {
        const parsed = unread.length === 0 ? undefined : parser(unread);
        if (parsed !== undefined && parsed.kind !== 'incomplete') {
          if (parsed.kind === 'parsed') unread = unread.subarray(parsed.length);
          return parsed;
        }
        const more = await source.read().catch(() => undefined);
        if (more === undefined) return { kind: 'ended' };
        unread = unread.length === 0 ? more : Buffer.concat([unread, more]);
      }
    },
    release(first) {
      source.unread(first === undefined ? unread : Buffer.concat([first, unread]));
      source.detach();
    },
  };
}
