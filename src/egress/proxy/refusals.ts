import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { HoldfastError } from '../../errors/index.ts';
import { byteSource } from '../http/byte-source.ts';
import { closeGently } from '../http/h1/refuse.ts';
import type { Destination, EgressRefusal, ConnectionFront } from '../types.ts';

/** A client that the proxy has not handed on yet. */
export interface ProxyAdmission {
  readonly client: Socket;
  readonly bytes: ClientBytes;
  readonly guard: ProxyGuard;
  /** Ends the admission. `answer` tells the client why, and the journal records it. */
  refuse(refusal: EgressRefusal, answer: () => void): undefined;
}

export const unauthorised: EgressRefusal = {
  code: 'unauthorised-proxy',
  message: 'this proxy serves the programs of one session, which know its secret',
  remedy: 'use the address in HTTPS_PROXY of the session, with its name and password',
};

export const overloaded: EgressRefusal = {
  code: 'overloaded',
  message: 'too many clients are waiting for admission by the proxy',
  remedy: 'try again in a moment',
};

export function malformedRequest(message: string): EgressRefusal {
  return {
    code: 'malformed-request',
    message,
    remedy: 'send a request as in RFC 9112 (HTTP) or RFC 1928 (SOCKS5)',
  };
}

export const malformedHost: EgressRefusal = {
  code: 'malformed-host',
  message: 'the destination is neither a host name nor an address, or has no port from 1 to 65535',
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

/** `ended`: the client left or was too slow. */
type Read<Value> = Exclude<ParsedPrefix<Value>, { readonly kind: 'incomplete' }> | { readonly kind: 'ended' };

/** Bytes of a client before it is handed on. */
interface ClientBytes {
  /** Reads the next message. Its parser has to limit its own memory. */
  read<Value>(parser: Parser<Value>): Promise<Read<Value>>;
  /** Releases the socket. Its reader gets `first` and then all unread bytes. */
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

/** Result of parsing the first bytes of a message. */
export type ParsedPrefix<Value> =
  | { readonly kind: 'incomplete' }
  /** The message is `length` bytes long. Further bytes belong to the next reader. */
  | { readonly kind: 'parsed'; readonly value: Value; readonly length: number }
  /** `reason` is one line, without any bytes of the sender. */
  | { readonly kind: 'malformed'; readonly reason: string };

/**
 * Parses all bytes since the start of the message. Pure. Called again with more bytes until the message is complete.
 */
export type Parser<Value> = (bytes: Buffer) => ParsedPrefix<Value>;

export const incomplete = { kind: 'incomplete' } as const;

export function malformedPrefix(reason: string): { readonly kind: 'malformed'; readonly reason: string } {
  return { kind: 'malformed', reason };
}

/** The user name that accompanies the secret. HTTP Basic and SOCKS5 require one. */
export const proxyUser = 'holdfast';

const shortest = 32;

/** Returns 256 random bits as 43 characters that need no escape in a URL. Each session has its own. */
export function newProxySecret(): string {
  return randomBytes(32).toString('base64url');
}

export interface ProxyGuard {
  admits(user: string, password: string): boolean;
}

/**
 * Holds the secret without revealing it. Compares salted digests, so that timing reveals neither the length nor the
 * first wrong byte of a guess. (An HMAC would do the same, but costs 40 µs for each client, because its key becomes an
 * object every time.)
 */
export function proxyGuard(secret: string): ProxyGuard {
  if (secret.length < shortest)
    throw new HoldfastError('HF_INTERNAL', 'the secret of a proxy is too short to be safe', {
      remedy: 'make it with newProxySecret',
    });
  const salt = randomBytes(32).toString('hex');
  const digest = (user: string, password: string): Buffer => hash('sha256', `${salt}${user}:${password}`, 'buffer');
  const expected = digest(proxyUser, secret);
  return { admits: (user, password) => timingSafeEqual(digest(user, password), expected) };
}

export type ProxyFront = Extract<ConnectionFront, 'connect' | 'absolute-form' | 'socks5'>;

/** An admitted client with its destination. The receiver owns the socket. */
export interface ProxiedConnection {
  readonly front: ProxyFront;
  readonly destination: Destination;
  /**
   * Paused, half-open, with TCP_NODELAY. Bytes that the client sent after its request to the proxy are still unread.
   */
  readonly client: Socket;
  /**
   * Tells the client that it is now connected to the destination. Sends nothing if the destination's own answer comes
   * first.
   */
  reached(): void;
  /**
   * Sends a refusal in the client's protocol and closes the connection. After `reached` no answer is possible any more,
   * so the connection is reset.
   */
  refuse(refusal: EgressRefusal): void;
}

export interface ProxyOptions {
  /** See `newProxySecret`. Never logged, and never part of an error. */
  readonly secret: string;
  /** Relays a tunnel (CONNECT, SOCKS5) from now on. */
  open(connection: ProxiedConnection): Promise<void>;
  /**
   * Serves one request in origin form, which is unread in the socket with `Connection: close`. The client's next
   * request may be for another host, so it needs its own connection. Must not be spliced.
   */
  intercept(connection: ProxiedConnection): Promise<void>;
  /** Called for every client that the proxy itself refused. */
  refused?(refusal: EgressRefusal, client: Socket): void;
}

interface Answers {
  reached(): void;
  refuse(refusal: EgressRefusal): void;
}

/**
 * Ensures that a client gets at most one answer from the proxy. The client would read a second one as bytes of the
 * destination.
 */
export function proxied(
  connection: Pick<ProxiedConnection, 'front' | 'destination' | 'client'>,
  answers: Answers,
): ProxiedConnection {
  let answer: 'none' | 'reached' | 'refused' = 'none';
  return {
    ...connection,
    reached() {
      if (answer !== 'none') return;
      answer = 'reached';
      if (connection.client.writable) answers.reached();
    },
    refuse(refusal) {
      if (answer === 'refused') return;
      const isLate = answer === 'reached';
      answer = 'refused';
      if (isLate) connection.client.resetAndDestroy();
      else answers.refuse(refusal);
    },
  };
}

/**
 * Writes the last bytes for a client and closes the connection, in a way that they arrive even if the client is still
 * sending.
 */
export function sayLast(client: Socket, bytes: Uint8Array): void {
  if (!client.writable) return void client.destroy();
  client.write(bytes);
  void closeGently(client);
}
