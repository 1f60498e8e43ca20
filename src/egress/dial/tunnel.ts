import { connect, type Socket } from 'node:net';
import { refuse } from '../ssrf/index.ts';
import type { UpstreamTrust } from '../tls/upstream-trust.ts';
import { secureUpstream } from '../tls/upstream.ts';
import type { Destination, Refused } from '../types.ts';
import { httpConnect, type ProxyAnswer } from './http-connect.ts';
import type { UpstreamProxy } from './parse-proxy.ts';
import { socksConnect } from './socks.ts';

export interface TunnelOptions {
  readonly trust: () => UpstreamTrust;
  /** Ends the attempt at any point. */
  readonly signal: AbortSignal;
}

/** A connection through a proxy, paused, with what the destination has said already put back. */
export interface Tunnel {
  readonly kind: 'open';
  readonly socket: Socket;
}

/** Connects to the proxy and has it connect to the target. The name of the proxy is the only one that Node looks up. */
export async function tunnel(proxy: UpstreamProxy, target: Destination, { trust, signal }: TunnelOptions): Promise<Tunnel | Refused> {
  const socket = connect({ host: proxy.host, port: proxy.port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000, allowHalfOpen: true });
  socket.pause();
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const opened = await open(socket, proxy, { target, trust });
    if (opened.kind === 'refused') stop();
    return opened;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function open(socket: Socket, proxy: UpstreamProxy, { target, trust }: { readonly target: Destination; readonly trust: () => UpstreamTrust }): Promise<Tunnel | Refused> {
  const failure = await connected(socket);
  if (failure !== undefined) return refuse('unreachable', `the proxy ${nameOf(proxy)} cannot be reached (${failure})`, { remedy: `see whether ${proxy.variable} names the right proxy, and it is up` });
  const carrier = proxy.protocol === 'https' ? await secureUpstream(socket, { host: proxy.host, alpn: ['http/1.1'], trust: trust() }) : ({ kind: 'secured', socket } as const);
  if (carrier.kind === 'refused') return carrier;
  const answer = await (proxy.protocol === 'socks5' ? socksConnect : httpConnect)(carrier.socket, target, proxy);
  if (answer.kind !== 'open') return refusedBy(proxy, target, answer);
  if (answer.rest.length > 0) carrier.socket.unshift(answer.rest);
  return { kind: 'open', socket: carrier.socket };
}

/** The name of what went wrong, if something did. */
function connected(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(undefined));
    // Stays for good: a reset between the connection and its first reader would otherwise end the process.
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    socket.once('close', () => resolve('ECANCELED'));
  });
}

function refusedBy(proxy: UpstreamProxy, target: Destination, answer: Exclude<ProxyAnswer, { kind: 'open' }>): Refused {
  const subject = `the proxy ${nameOf(proxy)}, asked for ${target.host} port ${target.port},`;
  if (answer.kind === 'refused') return refuse('unreachable', `${subject} ${answer.reason}`, { remedy: answer.remedy });
  return refuse('upstream-protocol', `${subject} ${answer.reason}`, { remedy: `see whether ${proxy.variable} names the right proxy` });
}

/** Without its credentials. */
function nameOf({ host, port }: UpstreamProxy): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
