import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Refused } from '../types.ts';
import { normaliseHost } from '../../policy/index.ts';
import { deadlineOf } from './deadline.ts';
import { identityCheck } from './identity.ts';
import type { Alpn } from './terminate.ts';
import { upstreamRefusal } from './upstream-refusals.ts';
import type { UpstreamTrust } from './upstream-trust.ts';

export interface SecureUpstreamOptions {
  /** The normalised name or address that was decided, dialled and now has to prove itself. */
  readonly host: string;
  /** Offered to the server, best first; empty sends no ALPN. */
  readonly alpn: readonly Alpn[];
  readonly trust: UpstreamTrust;
  /** Milliseconds for the handshake; default 10,000. */
  readonly deadline?: number;
}

export interface SecuredUpstream {
  readonly kind: 'secured';
  /** Verified for `host`. Its errors are caught; they also end it. */
  readonly socket: TLSSocket;
  /** `http/1.1` also when the server chose nothing. */
  readonly alpn: Alpn;
  /** Whether an earlier session was taken up, which saves a round of public-key work. */
  readonly session: 'new' | 'resumed';
}

/** Speaks TLS 1.2 or later over a dialled connection and verifies the certificate for the name. When it is refused, the connection has ended. */
export async function secureUpstream(socket: Socket, options: SecureUpstreamOptions): Promise<SecuredUpstream | Refused> {
  const deadline = deadlineOf(options.deadline ?? 10_000);
  // Both ends may break at any time, also after their caller has lost interest.
  socket.on('error', ignore);
  try {
    return await handshake({ socket, options, signal: deadline.signal });
  } catch (problem) {
    socket.destroy();
    return { kind: 'refused', refusal: upstreamRefusal({ host: options.host, problem }) };
  } finally {
    deadline.clear();
  }
}

interface Handshake {
  readonly socket: Socket;
  readonly options: SecureUpstreamOptions;
  readonly signal: AbortSignal;
}

function handshake({ socket, options, signal }: Handshake): Promise<SecuredUpstream | Refused> {
  const secure = startTls(socket, options);
  keepSessions(secure, { ...options, key: sessionKey(socket, options) });
  return new Promise((resolve) => {
    let problem: unknown;
    const onError = (error: unknown): void => {
      problem ??= error;
    };
    const onSecure = (): void => settle({ kind: 'secured', socket: secure, alpn: secure.alpnProtocol === 'h2' ? 'h2' : 'http/1.1', session: secure.isSessionReused() ? 'resumed' : 'new' });
    const onEnd = (): void => {
      settle({ kind: 'refused', refusal: upstreamRefusal({ host: options.host, problem }) });
      secure.destroy();
      socket.destroy();
    };
    const onDeadline = (): void => {
      onError(signal.reason);
      onEnd();
    };
    const settle = (outcome: SecuredUpstream | Refused): void => {
      secure.off('secureConnect', onSecure).off('close', onEnd);
      signal.removeEventListener('abort', onDeadline);
      resolve(outcome);
    };
    secure.on('error', onError).on('close', onEnd).on('secureConnect', onSecure);
    signal.addEventListener('abort', onDeadline);
  });
}

function startTls(socket: Socket, options: SecureUpstreamOptions): TLSSocket {
  const { host, alpn, trust } = options;
  const isAddress = normaliseHost(host)?.address !== undefined;
  const session = trust.sessions.get(sessionKey(socket, options));
  return connect({
    socket,
    host,
    // RFC 6066 §3: a hello names no addresses.
    ...(!isAddress && { servername: host }),
    ...(alpn.length > 0 && { ALPNProtocols: [...alpn] }),
    ...(session !== undefined && { session }),
    secureContext: trust.context(),
    checkServerIdentity: identityCheck(trust.distrusted),
    rejectUnauthorized: true,
  });
}

/** Only a server that has proved its name gets its sessions kept: on resumption nobody looks at a certificate again. */
function keepSessions(secure: TLSSocket, { trust, key }: SecureUpstreamOptions & { readonly key: string }): void {
  secure.on('session', (session) => {
    if (secure.authorized) trust.sessions.set(key, session);
  });
}

function sessionKey(socket: Socket, { host, alpn }: SecureUpstreamOptions): string {
  return `${host} ${socket.remotePort ?? 0} ${alpn.join(',')}`;
}

function ignore(): void {
  // The connection ends with its error; who waits for it hears 'close'.
}
