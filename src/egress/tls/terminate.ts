import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { Refused } from '../types.ts';
import { alertRecord, type AlertName } from './alert.ts';
import type { ClientHello } from './client-hello.ts';
import { clientRefusal, handshakeRefusal, nameRefusal, type Unnamed } from './client-refusals.ts';
import { deadlineOf } from './deadline.ts';
import { readClientHello } from './read-client-hello.ts';

export type Alpn = 'h2' | 'http/1.1';

export interface TerminateOptions {
  /** The one host that was decided: a normalised name or address. */
  readonly host: string;
  /** Offered to the client, best first. A client that offers none of them gets an alert; one without ALPN speaks HTTP/1.1. */
  readonly alpn: readonly Alpn[];
  readonly contextFor: (host: string) => SecureContext;
  /** `always` also takes clients that name no host at all, for protocols whose clients are older than SNI (Postgres, Redis); default `sometimes`. */
  readonly unnamed?: Unnamed;
  /** Milliseconds for hello and handshake together; default 10,000. */
  readonly deadline?: number;
}

export interface Terminated {
  readonly kind: 'secured';
  /** Its errors are caught; they also end it. */
  readonly socket: TLSSocket;
  readonly alpn: Alpn;
  /** What the client called the host; absent when it named none. */
  readonly serverName?: string;
}

/**
 * Ends TLS on an accepted connection, as `host` and as nobody else. Bytes that were read already and put back with
 * `unshift` count. When it is refused, the connection has been ended, with an alert where TLS has one for the reason.
 */
export async function terminateTls(socket: Duplex, options: TerminateOptions): Promise<Terminated | Refused> {
  const deadline = deadlineOf(options.deadline ?? 10_000);
  // A connection may break at any time, also after its caller has lost interest in it.
  socket.on('error', ignore);
  try {
    const read = await readClientHello(socket, deadline.signal);
    if (read.kind !== 'hello') return refuse(socket, clientRefusal(options.host, read), read.kind === 'malformed' ? 'decodeError' : undefined);
    const named = nameRefusal(options.host, read.hello, options.unnamed ?? 'sometimes');
    if (named !== undefined) return refuse(socket, named, read.hello.serverName === undefined ? 'missingExtension' : 'unrecognizedName');
    return await handshake({ socket, options, hello: read.hello, signal: deadline.signal });
  } catch (error) {
    return refuse(socket, handshakeRefusal(options.host, error), 'internalError');
  } finally {
    deadline.clear();
  }
}

interface Handshake {
  readonly socket: Duplex;
  readonly options: TerminateOptions;
  readonly hello: ClientHello;
  readonly signal: AbortSignal;
}

function handshake({ socket, options, hello, signal }: Handshake): Promise<Terminated | Refused> {
  const secureContext = options.contextFor(hello.serverName ?? options.host);
  const protocols = options.alpn.length === 0 ? {} : { ALPNProtocols: [...options.alpn] };
  // The type asks for a Socket; the documentation and the code take any Duplex.
  const secure = new TLSSocket(socket as Socket, { isServer: true, secureContext, ...protocols });
  // A record that does not decrypt after the handshake is said only here, and would leave the connection open.
  secure.on('_tlsError', (error: Error) => secure.destroy(error));
  return new Promise((resolve) => {
    let problem: unknown;
    const onError = (error: unknown): void => {
      problem ??= error;
    };
    const onEnd = (): void => {
      settle({ kind: 'refused', refusal: handshakeRefusal(options.host, problem) });
      secure.destroy();
      socket.destroy();
    };
    const onDeadline = (): void => {
      onError(signal.reason);
      onEnd();
    };
    const onSecure = (): void => settle({ kind: 'secured', socket: secure, alpn: negotiated(secure), ...(hello.serverName !== undefined && { serverName: hello.serverName }) });
    const settle = (outcome: Terminated | Refused): void => {
      secure.off('secure', onSecure).off('close', onEnd);
      socket.off('error', onError);
      signal.removeEventListener('abort', onDeadline);
      resolve(outcome);
    };
    secure.on('error', onError).on('close', onEnd).on('secure', onSecure);
    socket.on('error', onError);
    signal.addEventListener('abort', onDeadline);
  });
}

function negotiated(secure: TLSSocket): Alpn {
  return secure.alpnProtocol === 'h2' ? 'h2' : 'http/1.1';
}

/** Milliseconds for seven bytes to leave. */
const longestFarewell = 1000;

/** The alert is the last thing sent; what the client sends after it goes nowhere. */
function refuse(socket: Duplex, refusal: Refused['refusal'], alert: AlertName | undefined): Refused {
  if (alert === undefined || !socket.writable) {
    socket.destroy();
  } else {
    const farewell = setTimeout(() => socket.destroy(), longestFarewell);
    socket.once('close', () => clearTimeout(farewell)).end(alertRecord(alert), () => socket.destroy());
  }
  return { kind: 'refused', refusal };
}

function ignore(): void {
  // The connection ends with its error; who waits for it hears 'close'.
}
