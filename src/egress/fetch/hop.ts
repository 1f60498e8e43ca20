import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest } from '../../policy/request.ts';
import { settleAsk } from '../approval.ts';
import type { ClientOrigin } from '../pipeline/context.ts';
import { policyRefusal, reach, type ReachRefused } from '../pipeline/reach.ts';
import { decideUrl } from '../ssrf/decide-url.ts';
import { letsPass, refuse } from '../ssrf/refuse.ts';
import { secureUpstream } from '../tls/upstream.ts';
import type { Refused } from '../types.ts';
import { readFetchBody } from './body/read-body.ts';
import { acrossOrigins, type FetchContext, type FetchOptions, type Hop, type HopAnswer } from './types.ts';

export interface HopOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly admits?: FetchOptions['admits'];
  /** Waits for a person's answer without counting that time towards the fetch's own. */
  whileAsked<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
}

/** Origin of all fetches. The fetch tool runs outside every box. */
const origin: ClientOrigin = { front: 'fetch', address: '', port: 0 };

/** decide → resolve → vet → dial → TLS → request. The request is decided before the name is looked up. */
export async function runHop(hop: Hop, context: FetchContext, options: HopOptions): Promise<HopAnswer | Refused> {
  const started = performance.now();
  const { destination } = hop.decided;
  const request = requestOf(hop);
  const first = context.authority.decide(request);
  const unlisted = options.admits?.(destination) === false;
  // Nobody is asked to approve a request that the caller's own list excludes.
  const verdict = unlisted
    ? first
    : await options.whileAsked(() => settleAsk(context.authority, { request, verdict: first, signal: options.signal }));
  const connection = unlisted
    ? notAdmitted(hop)
    : letsPass(verdict)
      ? await connect(hop, context, options)
      : ({ kind: 'refused', refusal: policyRefusal(verdict) } as const);
  const answer = connection.kind === 'refused' ? connection : await fetchOnce(hop, connection.socket, options);
  const refusal = answer.kind === 'refused' ? answer.refusal : undefined;
  const refused = refusal === undefined ? {} : { refusal };
  const dialled =
    connection.kind === 'refused'
      ? { bytesSent: 0, bytesReceived: 0 }
      : {
          address: connection.address,
          bytesSent: connection.carrier.bytesWritten,
          bytesReceived: connection.carrier.bytesRead,
        };
  if (refusal !== undefined) context.refused(refusal, destination, origin);
  context.recordRequest(
    { destination, request, status: answer.kind === 'refused' ? 0 : answer.status, verdict, ...refused },
    origin,
  );
  context.record(
    { front: 'fetch', destination, verdict, ...dialled, ...refused, duration: Math.round(performance.now() - started) },
    origin,
  );
  return answer.kind === 'refused' ? { kind: 'refused', refusal: answer.refusal } : answer;
}

function notAdmitted({ decided: { destination } }: Hop): Refused {
  return refuse('policy', `${destination.host}:${destination.port} is not among the hosts that its caller lists`, {
    remedy: 'add it to that list if you meant it; the policy decides as well',
  });
}

function requestOf({ decided, method }: Hop): HttpRequest {
  return { kind: 'http', method, scheme: decided.scheme, ...decided.destination, path: decided.url.pathname };
}

interface Connection {
  readonly kind: 'connected';
  /** Inside TLS if the scheme requires it. */
  readonly socket: Socket;
  /** The connection beneath TLS. */
  readonly carrier: Socket;
  /** The vetted address. */
  readonly address: string;
}

async function connect(
  { decided }: Hop,
  context: FetchContext,
  { signal }: HopOptions,
): Promise<Connection | Refused | ReachRefused> {
  const reached = await reach(decided.destination, 'request', context);
  if (reached.kind === 'refused') return reached;
  const dialled = await context.dial(reached.vetted, { signal, use: decided.scheme });
  if (dialled.kind === 'refused') return dialled;
  const carrier = dialled.socket;
  const give = { kind: 'connected', carrier, address: dialled.address } as const;
  if (decided.scheme === 'http') return { ...give, socket: carrier };
  const leave = (): void => void carrier.destroy();
  signal.addEventListener('abort', leave);
  const secured = await secureUpstream(carrier, {
    host: decided.destination.host,
    alpn: ['http/1.1'],
    trust: context.trust(),
  });
  signal.removeEventListener('abort', leave);
  return secured.kind === 'refused' ? secured : { ...give, socket: secured.socket };
}

const agent = 'holdfast-fetch';
const accepted = 'gzip, deflate, br';

/** Sends one HTTP/1.1 request over a connection, and always closes the connection afterwards. */
export async function fetchOnce(
  hop: Hop,
  socket: Socket,
  { maxBytes, signal }: Pick<HopOptions, 'maxBytes' | 'signal'>,
): Promise<HopAnswer | Refused> {
  const leave = (): void => void socket.destroy();
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  try {
    const response = await responseTo(hop, socket);
    return await answerOf(hop, response, maxBytes);
  } catch (error) {
    return broken(hop, error);
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

function responseTo({ decided, method, headers, body }: Hop, socket: Socket): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { url } = decided;
    const sent = {
      host: url.host,
      'user-agent': agent,
      accept: '*/*',
      ...headers,
      'accept-encoding': accepted,
      connection: 'close',
      ...lengthOf(method, body),
    };
    const outgoing: ClientRequest = request({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: sent,
      setHost: false,
      insecureHTTPParser: false,
    });
    // This listener stays. An answer that breaks later is reported to its reader, and once more here.
    outgoing.on('error', reject);
    outgoing.once('response', resolve);
    // The server switched to a protocol that the request did not ask for.
    outgoing.once('upgrade', () => reject(new Error('it switched to another protocol')));
    outgoing.once('socket', () => socket.resume());
    outgoing.end(body);
  });
}

function lengthOf(method: string, body: Buffer | undefined): { 'content-length'?: number } {
  if (body !== undefined) return { 'content-length': body.length };
  return ['POST', 'PUT', 'PATCH'].includes(method) ? { 'content-length': 0 } : {};
}

async function answerOf(hop: Hop, response: IncomingMessage, maxBytes: number): Promise<HopAnswer | Refused> {
  const { statusCode: status = 0, headers } = response;
  const head = {
    kind: 'answer',
    status,
    contentType: headers['content-type'] ?? '',
    ...(headers.location === undefined ? {} : { location: asUtf8(headers.location) }),
  } as const;
  // A redirect needs only its `Location`.
  if (hop.method === 'HEAD' || isRedirect(head)) return { ...head, bytes: Buffer.alloc(0), truncated: false };
  const read = await readFetchBody(response, headers['content-encoding'] ?? '', maxBytes);
  if (read.kind === 'unknown coding')
    return refuse(
      'upstream-protocol',
      `${hop.decided.url.href} is encoded as "${read.coding}", which was not asked for`,
      { remedy: 'ask the server for gzip, deflate, br or no encoding' },
    );
  return { ...head, bytes: read.bytes, truncated: read.truncated };
}

/** Node returns headers as Latin-1, but servers send UTF-8. */
function asUtf8(header: string): string {
  return Buffer.from(header, 'latin1').toString('utf8');
}

function broken({ decided }: Hop, error: unknown): Refused {
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) };
  return refuse(
    'upstream-protocol',
    `${decided.destination.host} did not send a valid HTTP/1.1 answer: ${message}${code === undefined ? '' : ` (${code})`}`,
    { remedy: 'check that the server is up, and that a web server listens on this port' },
  );
}

/** RFC 9110 §15.4. The first three turn everything except HEAD into GET, as in browsers. */
const redirecting: ReadonlyMap<number, 'becomes GET' | 'stays'> = new Map([
  [301, 'becomes GET'],
  [302, 'becomes GET'],
  [303, 'becomes GET'],
  [307, 'stays'],
  [308, 'stays'],
]);

function isRedirect({ status, location }: Pick<HopAnswer, 'status' | 'location'>): boolean {
  return redirecting.has(status) && location !== undefined;
}

/**
 * Returns the request that follows an answer. Undefined if the answer is final. Pure: the policy decides the new
 * request later, like any other.
 */
export function followRedirect(
  hop: Hop,
  { status, location }: Pick<HopAnswer, 'status' | 'location'>,
): Hop | Refused | undefined {
  const form = redirecting.get(status);
  if (form === undefined || location === undefined) return undefined;
  const decided = decideUrl(absolute(location, hop.decided.url));
  if (decided.kind === 'refused') return redirectRefused(hop, decided);
  if (hop.decided.scheme === 'https' && decided.scheme === 'http')
    return refuse(
      'upstream-protocol',
      `${hop.decided.url.href} redirects from https to http, where anyone on the network can read it`,
      { remedy: `fetch ${decided.url.href} yourself if that is acceptable` },
    );
  const headers = decided.url.origin === hop.decided.url.origin ? hop.headers : acrossOrigins(hop.headers);
  if (form === 'stays') return { ...hop, decided, headers };
  const { 'content-type': _, ...others } = headers;
  return { kind: 'hop', decided, method: hop.method === 'HEAD' ? 'HEAD' : 'GET', headers: others };
}

/** Works on text, so that `decideUrl` sees oddities of a location that a URL parser would repair. */
function absolute(location: string, base: URL): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location;
  if (location.startsWith('//')) return base.protocol + location;
  if (/[\p{Cc}\p{Zs}\\]/u.test(location)) return `${base.origin}/${location}`;
  return URL.parse(location, base.href)?.href ?? location;
}

function redirectRefused(hop: Hop, { refusal }: Refused): Refused {
  return refuse(refusal.code, `${hop.decided.url.href} redirects to a URL that is refused: ${refusal.message}`, {
    remedy: refusal.remedy,
  });
}
