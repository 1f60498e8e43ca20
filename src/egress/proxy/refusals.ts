import type { Socket } from 'node:net';
import { byteSource } from '../http/byte-source.ts';
import type { EgressRefusal } from '../types.ts';
import type { ProxyGuard } from './guard.ts';

/** A client that has not been handed on yet. */
export interface Admission {
  readonly client: Socket;
  readonly bytes: ClientBytes;
  readonly guard: ProxyGuard;
  /** Ends the admission: `answer` says why to the client, and whoever keeps the journal is told. */
  refuse(refusal: EgressRefusal, answer: () => void): undefined;
}

export const unauthorised: EgressRefusal = {
  code: 'unauthorised-proxy',
  message: 'this proxy serves the programs of one session, which know its secret',
  remedy: 'use the address in HTTPS_PROXY of the session, with its name and password',
};

export const overloaded: EgressRefusal = {
  code: 'overloaded',
  message: 'too many clients are introducing themselves to the proxy',
  remedy: 'try again in a moment',
};

export function malformedRequest(message: string): EgressRefusal {
  return {
    code: 'malformed-request',
    message,
    remedy: 'send what RFC 9112 (HTTP) or RFC 1928 (SOCKS5) lets a client send',
  };
}

export const malformedHost: EgressRefusal = {
  code: 'malformed-host',
  message: 'the destination is no host name and no address, or has no port from 1 to 65535',
  remedy: 'name it as example.com:443, 192.0.2.1:443 or [2001:db8::1]:443',
};

export const notByProxy: EgressRefusal = {
  code: 'malformed-request',
  message: 'this is a proxy: it answers CONNECT HOST:PORT, and requests for http:// URLs',
  remedy: 'use CONNECT for https:// and everything else',
};

export const mismatchedHost: EgressRefusal = {
  code: 'authority-mismatch',
  message: 'the Host field names another host than the request line',
  remedy: 'leave Host to the HTTP library',
};

/** `ended`: the client left, or was too slow. */
type Read<Value> = Exclude<Parsed<Value>, { readonly kind: 'incomplete' }> | { readonly kind: 'ended' };

/** What a client sends before it is handed on. */
interface ClientBytes {
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

/** What became of the first bytes of a message. */
export type Parsed<Value> =
  | { readonly kind: 'incomplete' }
  /** `length` bytes were the message; what follows is somebody else's. */
  | { readonly kind: 'parsed'; readonly value: Value; readonly length: number }
  /** `reason` is one line, without anything the sender sent. */
  | { readonly kind: 'malformed'; readonly reason: string };

/** Pure. Gets everything from the start of the message, again and again, until it is complete. */
export type Parser<Value> = (bytes: Buffer) => Parsed<Value>;

export const incomplete = { kind: 'incomplete' } as const;

export function malformed(reason: string): { readonly kind: 'malformed'; readonly reason: string } {
  return { kind: 'malformed', reason };
}
