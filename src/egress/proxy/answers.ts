import type { Socket } from 'node:net';
import { closeGently } from '../http/h1/linger.ts';
import type { Destination, EgressRefusal, Front } from '../types.ts';

export type ProxyFront = Extract<Front, 'connect' | 'absolute-form' | 'socks5'>;

/** An admitted client with where it wants to go. Whoever gets it owns the socket. */
export interface ProxiedConnection {
  readonly front: ProxyFront;
  readonly destination: Destination;
  /** Paused, half-open, TCP_NODELAY set; what the client sent beyond its request to the proxy is unread in it. */
  readonly client: Socket;
  /**
   * Tells the client that bytes reach the destination from now on. Says nothing where the first answer is the
   * destination's own.
   */
  reached(): void;
  /**
   * Says a refusal in the client's protocol and closes. After `reached` it is too late for words: the connection is
   * reset.
   */
  refuse(refusal: EgressRefusal): void;
}

export interface ProxyOptions {
  /** See `newProxySecret`. Never logged, never part of an error. */
  readonly secret: string;
  /** Carries a tunnel (CONNECT, SOCKS5) from here on. */
  open(connection: ProxiedConnection): Promise<void>;
  /**
   * Serves one request in origin form, which stands unread in the socket with `Connection: close`: the next request of
   * the same client may be for another host, so it has to come on a connection of its own. Must not be spliced.
   */
  intercept(connection: ProxiedConnection): Promise<void>;
  /** Told of every client that got no further than the proxy itself. */
  refused?(refusal: EgressRefusal, client: Socket): void;
}

export interface Answers {
  reached(): void;
  refuse(refusal: EgressRefusal): void;
}

/**
 * A connection whose client gets one answer of the proxy, never two: a second would be read as bytes of the
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

/** Writes the last bytes for a client and closes, so that they arrive whatever the client is still sending. */
export function sayLast(client: Socket, bytes: Uint8Array): void {
  if (!client.writable) return void client.destroy();
  client.write(bytes);
  void closeGently(client);
}
