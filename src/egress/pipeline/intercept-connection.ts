import type { Duplex } from 'node:stream';
import type { ClientView, InterceptContext } from '../http/decide-request.ts';
import { interceptHttp } from '../http/intercept.ts';
import type { Alpn } from '../http/message.ts';
import { isAddress } from '../is-address.ts';
import { meansHost } from '../loopback-names.ts';
import type { Inspection } from '../splice/splice.ts';
import type { ClientHello } from '../tls/client-hello.ts';
import { alertRecord, type Terminated, terminateTls } from '../tls/terminate.ts';
import type { Destination, EgressRefusal } from '../types.ts';
import type { Ended, PipelineContext, ServedConnection } from './context.ts';
import { firstBytes, recogniseTls } from './first-bytes.ts';
import { leadsTo } from './reach.ts';
import { refuseServed } from './refuse-client.ts';
import { openPlain, type Upstreams, upstreamsOf, type ConnectionWay, wayTo } from './way.ts';

/** Milliseconds for a client's first bytes. Without a request, rules about requests cannot decide. */
export const interceptPatience = 10_000;

/**
 * Serves a connection to a host with rules about requests, and decides its requests one by one. Refuses other
 * protocols, because these rules could not decide about them.
 */
export async function interceptConnection(served: ServedConnection, context: PipelineContext): Promise<Ended> {
  const { client, destination } = served;
  served.reached?.();
  const first = await firstBytes(client, { until: interceptPatience });
  switch (first.kind) {
    case 'http':
      return interceptPlain(served, context, requestWay(destination, context));
    case 'tls': {
      const { hello } = first;
      const name = hello.serverName;
      if (name !== undefined && !meansHost(name, destination.host))
        return refuseReached(served, context, mismatch(destination.host, name));
      const way = requestWay(destination, context);
      return interceptTls(served, context, {
        way,
        hello,
        serve: ({ socket, alpn }, { open }) =>
          interceptAs(served, context, { client: socket, scheme: 'https', alpn, way, open }),
      });
    }
    case 'malformed':
    case 'other':
      return refuseReached(served, context, notHttp(destination));
    case 'silent':
      return fellSilent(served);
  }
}

/** Serves plain requests in the client's socket, which a proxy received by absolute URL. */
export function interceptRequests(served: ServedConnection, context: PipelineContext): Promise<Ended> {
  served.reached?.();
  return interceptPlain(served, context, requestWay(served.destination, context));
}

/** Returns a way to the destination whose traffic is decided by rules about requests. */
export function requestWay(destination: Destination, context: PipelineContext): ConnectionWay {
  return wayTo(destination, { leads: leadsTo(destination, context), use: 'request' }, context);
}

export function interceptPlain(served: ServedConnection, context: PipelineContext, way: ConnectionWay): Promise<Ended> {
  return interceptAs(served, context, {
    client: served.client,
    scheme: 'http',
    alpn: 'http/1.1',
    way,
    open: () => openPlain(way),
  });
}

export interface InterceptedTls {
  readonly way: ConnectionWay;
  /** Hello of a client that asks for the destination. */
  readonly hello: ClientHello;
  /** Serves the connection once TLS is terminated. */
  serve(secured: Terminated, upstreams: Upstreams): Promise<Ended>;
}

/** Terminates TLS in the name of the destination. Connections that were opened but not used end with the client. */
export async function interceptTls(
  served: ServedConnection,
  context: PipelineContext,
  { way, hello, serve }: InterceptedTls,
): Promise<Ended> {
  const { client, destination } = served;
  const upstreams = upstreamsOf(way, {
    host: hello.serverName ?? destination.host,
    offered: hello.alpn,
    trust: context.trust,
  });
  try {
    const alpn = await offeredTo(hello, way, upstreams);
    const secured = await terminateTls(client, { host: destination.host, alpn, contextFor: context.contextFor });
    if (secured.kind === 'secured') return await serve(secured, upstreams);
    context.refused(secured.refusal, destination, served.origin);
    return { refusal: secured.refusal };
  } finally {
    upstreams.discard();
  }
}

/**
 * Returns the protocols that the client may choose from. Before an approval the server's protocol is unknown. Holdfast
 * then offers HTTP/1.1, which every server speaks, unless the client accepts only HTTP/2.
 */
async function offeredTo(
  { alpn }: ClientHello,
  { dials }: ConnectionWay,
  upstreams: Upstreams,
): Promise<readonly Alpn[]> {
  if (!alpn.includes('h2')) return ['http/1.1'];
  if (dials === 'when-allowed') return alpn.includes('http/1.1') ? ['http/1.1'] : ['h2'];
  return (await upstreams.speaksHttp2()) ? ['h2', 'http/1.1'] : ['http/1.1'];
}

export interface Intercepted {
  readonly client: Duplex;
  readonly scheme: 'http' | 'https';
  readonly alpn: Alpn;
  readonly way: ConnectionWay;
  readonly open: InterceptContext['openUpstream'];
  readonly knownAs?: ClientView;
}

/** Serves requests until the client is gone. */
export async function interceptAs(
  served: ServedConnection,
  context: PipelineContext,
  { way, open, client, ...parts }: Intercepted,
): Promise<Ended> {
  const { destination, redirected, dials } = way;
  const record: InterceptContext['record'] = (request) => {
    if (request.refusal !== undefined) context.refused(request.refusal, destination, served.origin);
    context.recordRequest(request, served.origin);
  };
  // Only connections to the destination itself are kept for reuse.
  const led = redirected === undefined ? { idle: context.idle } : { redirected };
  await interceptHttp(client, {
    ...parts,
    ...led,
    dials,
    destination,
    authority: context.authority,
    openUpstream: open,
    interceptors: context.interceptors,
    record,
  });
  return { bytes: { sent: served.client.bytesRead, received: served.client.bytesWritten } };
}

/** Refuses a client that was already told that it is connected. */
export function refuseReached(
  { client, destination, origin }: ServedConnection,
  context: PipelineContext,
  refusal: EgressRefusal,
): Promise<Ended> {
  return refuseServed({ client, destination, origin }, context, { refusal });
}

/** Refuses a client that has sent nothing in time, or has left. */
export function fellSilent({ client, destination }: ServedConnection): Ended {
  const hasLeft = client.destroyed || client.readableEnded;
  client.resetAndDestroy();
  if (hasLeft) return {};
  return {
    refusal: {
      code: 'client-tls',
      message: `the client sent nothing on the connection to ${destination.host} for ${interceptPatience} ms`,
      remedy: 'send the request at once',
    },
  };
}

function notHttp({ host, port }: Destination): EgressRefusal {
  return {
    code: 'malformed-request',
    message: `the policy has rules about requests to ${host}:${port}, and the client does not speak HTTP`,
    remedy: `list ${host} under passthrough of [network] if the client has to use another protocol, and drop its http rules`,
  };
}

export interface HelloInspection {
  readonly inspect: (bytes: Buffer) => Inspection;
  /** Returns the refusal, if there was one. */
  refusal(): EgressRefusal | undefined;
}

/**
 * Inspects the hello of a client whose TLS is not terminated. It must name the dialled host. Otherwise the client could
 * reach another host behind the same address that no rule allows (domain fronting). Other protocols pass.
 */
export function inspectHello(host: string): HelloInspection {
  let refusal: EgressRefusal | undefined;
  const isName = !isAddress(host);
  const inspect = (bytes: Buffer): Inspection => {
    const first = recogniseTls(bytes);
    if (first === undefined) return { kind: 'more' };
    const name = first.kind === 'tls' ? first.hello.serverName : undefined;
    if (first.kind !== 'malformed' && (!isName || name === undefined || name === host)) return { kind: 'pass' };
    refusal = first.kind === 'malformed' ? malformedHello(host, first.reason) : mismatch(host, name ?? '');
    return { kind: 'refuse', lastWords: alertRecord('unrecognizedName') };
  };
  return { inspect, refusal: () => refusal };
}

export function mismatch(host: string, name: string): EgressRefusal {
  return {
    code: 'authority-mismatch',
    message: `the connection goes to ${host}, but asks for ${name} over TLS`,
    remedy: 'ask for the host that the connection goes to',
  };
}

export function malformedHello(host: string, reason: string): EgressRefusal {
  return {
    code: 'malformed-request',
    message: `the connection to ${host} begins like TLS, but is not TLS: ${reason}`,
    remedy: 'use a TLS client that keeps to RFC 8446',
  };
}
