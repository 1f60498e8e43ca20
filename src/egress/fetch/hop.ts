import type { Socket } from 'node:net';
import type { HttpRequest } from '../../policy/index.ts';
import type { ClientOrigin } from '../pipeline/context.ts';
import { settleAsk } from '../approval.ts';
import { policyRefusal, reach, type ReachRefused } from '../pipeline/reach.ts';
import { type DecidedUrl, permits, refuse } from '../ssrf/index.ts';
import { secureUpstream } from '../tls/upstream.ts';
import type { Refused } from '../types.ts';
import { exchange } from './exchange.ts';
import type { Headers } from './headers.ts';
import type { FetchContext, FetchOptions } from './types.ts';

/** One request of a fetch. */
export interface Hop {
  readonly kind: 'hop';
  readonly decided: DecidedUrl;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Headers;
  readonly body?: Buffer;
}

export interface HopAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly contentType: string;
  readonly location?: string;
  /** Decoded, at most `maxBytes`. */
  readonly bytes: Buffer;
  readonly truncated: boolean;
}

export interface HopOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly admits?: FetchOptions['admits'];
  /** A person's time is not the server's: it does not count towards the fetch's own. */
  whileAsked<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
}

/** The fetch tool runs outside of every box. */
const origin: ClientOrigin = { front: 'fetch', address: '', port: 0 };

/** decide → resolve → vet → dial → TLS → request. The request is decided before the name is looked up. */
export async function runHop(hop: Hop, context: FetchContext, options: HopOptions): Promise<HopAnswer | Refused> {
  const started = performance.now();
  const { destination } = hop.decided;
  const request = requestOf(hop);
  const first = context.authority.decide(request);
  const unlisted = options.admits?.(destination) === false;
  // Nobody is asked about what the caller does not let through.
  const verdict = unlisted ? first : await options.whileAsked(() => settleAsk(context.authority, { request, verdict: first, signal: options.signal }));
  const connection = unlisted ? notAdmitted(hop) : permits(verdict) ? await connect(hop, context, options) : ({ kind: 'refused', refusal: policyRefusal(verdict) } as const);
  const answer = connection.kind === 'refused' ? connection : await exchange(hop, connection.socket, options);
  const refusal = answer.kind === 'refused' ? answer.refusal : undefined;
  const refused = refusal === undefined ? {} : { refusal };
  const dialled = connection.kind === 'refused' ? { bytesSent: 0, bytesReceived: 0 } : { address: connection.address, bytesSent: connection.carrier.bytesWritten, bytesReceived: connection.carrier.bytesRead };
  if (refusal !== undefined) context.refused(refusal, destination, origin);
  context.recordRequest({ destination, request, status: answer.kind === 'refused' ? 0 : answer.status, verdict, ...refused }, origin);
  context.record({ front: 'fetch', destination, verdict, ...dialled, ...refused, duration: Math.round(performance.now() - started) }, origin);
  return answer.kind === 'refused' ? { kind: 'refused', refusal: answer.refusal } : answer;
}

function notAdmitted({ decided: { destination } }: Hop): Refused {
  return refuse('policy', `${destination.host}:${destination.port} is not among the hosts that its caller lists`, { remedy: 'list it there, if it is meant; the policy decides as well' });
}

function requestOf({ decided, method }: Hop): HttpRequest {
  return { kind: 'http', method, scheme: decided.scheme, ...decided.destination, path: decided.url.pathname };
}

interface Connection {
  readonly kind: 'connected';
  /** Secured, if the scheme asks for it. */
  readonly socket: Socket;
  /** The connection below TLS. */
  readonly carrier: Socket;
  /** The vetted address. */
  readonly address: string;
}

async function connect({ decided }: Hop, context: FetchContext, { signal }: HopOptions): Promise<Connection | Refused | ReachRefused> {
  const reached = await reach(decided.destination, 'request', context);
  if (reached.kind === 'refused') return reached;
  const dialled = await context.dial(reached.vetted, { signal, use: decided.scheme });
  if (dialled.kind === 'refused') return dialled;
  const carrier = dialled.socket;
  const give = { kind: 'connected', carrier, address: dialled.address } as const;
  if (decided.scheme === 'http') return { ...give, socket: carrier };
  const leave = (): void => void carrier.destroy();
  signal.addEventListener('abort', leave);
  const secured = await secureUpstream(carrier, { host: decided.destination.host, alpn: ['http/1.1'], trust: context.trust() });
  signal.removeEventListener('abort', leave);
  return secured.kind === 'refused' ? secured : { ...give, socket: secured.socket };
}
