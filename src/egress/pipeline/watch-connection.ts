import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { meansHost } from '../loopback-names.ts';
import { spliceWatched } from '../splice/splice-watched.ts';
import type { ClientHello } from '../tls/client-hello.ts';
import type { Destination, Dialled, EgressRefusal } from '../types.ts';
import type { Ended, PipelineContext, ServedConnection } from './context.ts';
import { type FirstBytes, firstBytes, recogniseWhole } from './first-bytes.ts';
import {
  type HelloInspection,
  inspectHello,
  interceptAs,
  interceptPlain,
  interceptTls,
  malformedHello,
  mismatch,
  refuseReached,
} from './intercept-connection.ts';
import { reach } from './reach.ts';
import { refuseServed } from './refuse-client.ts';
import { type BegunWay, begunWith, isUpstream, wayTo } from './way.ts';

/**
 * Serves a connection to a host that has no credential of the session. Requests are searched one by one, also inside
 * TLS. In other protocols, a watch searches the client's bytes.
 */
export function watchConnection(served: ServedConnection, context: PipelineContext): Promise<Ended> {
  return watch(served, context, 'searched');
}

/**
 * Reads requests without TLS and carries everything else. A request for another host than the dialled one is refused.
 */
export function watchPlain(served: ServedConnection, context: PipelineContext): Promise<Ended> {
  return watch(served, context, 'carried');
}

async function watch(served: ServedConnection, context: PipelineContext, tls: Watched['tls']): Promise<Ended> {
  const { client, destination } = served;
  const reached = await reach(destination, 'connection', context);
  if (reached.kind === 'refused') return refuseServed(served, context, reached);
  const { verdict, vetted } = reached;
  const around = refuseAround(destination, vetted.destination, context);
  if (around !== undefined) return refuseServed(served, context, { refusal: around, verdict });
  client.read(0);
  // Dials before the client's protocol is known, because some clients wait for the server to speak first.
  const dialled = await context.dial(vetted);
  if (dialled.kind === 'refused') return refuseServed(served, context, { refusal: dialled.refusal, verdict });
  served.reached?.();
  const way = begunWith(dialled, wayTo(destination, { leads: vetted.destination, use: 'connection' }, context));
  const first = await whoSpeaks(client, dialled.socket);
  try {
    return { verdict, address: dialled.address, ...(await serveAs(first, { served, context, way, dialled, tls })) };
  } finally {
    way.discard();
  }
}

interface Watched {
  readonly served: ServedConnection;
  readonly context: PipelineContext;
  readonly way: BegunWay;
  readonly dialled: Dialled;
  /** `searched`: Holdfast also reads requests inside TLS. */
  readonly tls: 'searched' | 'carried';
}

function serveAs(first: FirstBytes, watched: Watched): Promise<Ended> {
  const { served, context, way } = watched;
  const { destination } = served;
  switch (first.kind) {
    case 'http':
      return interceptPlain(served, context, way);
    case 'malformed':
      return refuseReached(served, context, malformedHello(destination.host, first.reason));
    case 'tls': {
      const { hello } = first;
      if (watched.tls === 'carried') return carryPlain(watched, first);
      const isNamed = hello.serverName !== undefined && !meansHost(hello.serverName, destination.host);
      // Rules can name addresses for clients that look names up themselves. Only such a client and its server then know
      // the name.
      if (isNamed && isIP(destination.host) === 0)
        return refuseReached(served, context, mismatch(destination.host, hello.serverName));
      return isNamed || !mayHoldHttp(hello, destination) ? carryPlain(watched, first) : watchTls(watched, hello);
    }
    case 'other':
    case 'silent':
      return carryPlain(watched, first);
  }
}

/**
 * Returns true if the offered protocols include HTTP. A client without ALPN is either older than HTTP/2 or not a web
 * client, and the port tells which.
 */
function mayHoldHttp({ alpn }: ClientHello, { port }: Destination): boolean {
  return alpn.length === 0 ? port === 443 || port === 8443 : alpn.includes('h2') || alpn.includes('http/1.1');
}

function watchTls(watched: Watched, hello: ClientHello): Promise<Ended> {
  const { served, context, way } = watched;
  return interceptTls(served, context, {
    way,
    hello,
    async serve({ socket, alpn }, upstreams) {
      const asRequests = (): Promise<Ended> =>
        interceptAs(served, context, { client: socket, scheme: 'https', alpn, way, open: upstreams.open });
      if (alpn === 'h2') return asRequests();
      const upstream = await upstreams.open({ alpn });
      const first = isUpstream(upstream) ? await whoSpeaks(socket, upstream) : undefined;
      if (first === undefined || first.kind === 'http' || !isUpstream(upstream)) {
        upstreams.keep(upstream);
        return asRequests();
      }
      const ended = await carry(watched, { client: socket, upstream, first });
      return { ...ended, bytes: { sent: served.client.bytesRead, received: served.client.bytesWritten } };
    },
  });
}

async function carryPlain(watched: Watched, first: FirstBytes): Promise<Ended> {
  const { served, dialled } = watched;
  const { client, destination } = served;
  const hello = inspectHello(destination.host);
  const ended = await carry(watched, { client, upstream: dialled.socket, first, hello });
  return { ...ended, bytes: { sent: dialled.socket.bytesWritten, received: dialled.socket.bytesRead } };
}

interface Carried {
  readonly client: Duplex;
  readonly upstream: Duplex;
  readonly first: FirstBytes;
  /** The hello may come even after the server has spoken first. */
  readonly hello?: HelloInspection;
}

async function carry(
  { served, context }: Watched,
  { client, upstream, first, hello }: Carried,
): Promise<Pick<Ended, 'refusal'>> {
  const said = first.kind === 'silent' && first.said !== undefined ? { said: first.said } : {};
  const inspect = hello === undefined ? {} : { inspect: hello.inspect };
  const outcome = await spliceWatched(client, upstream, {
    watch: context.watch(served.destination),
    carrier: served.client,
    ...inspect,
    ...said,
  });
  if (outcome === 'ended') return {};
  const refusal = hello?.refusal() ?? phantomOnItsWay(served.destination);
  context.refused(refusal, served.destination, served.origin);
  return { refusal };
}

function phantomOnItsWay({ host, port }: Destination): EgressRefusal {
  return {
    code: 'phantom-misused',
    message: `a phantom of this session was on its way to ${host}:${port}, where it does not work`,
    remedy: 'see `holdfast credentials show` for the hosts of this credential',
  };
}

/** Returns the client's protocol, or `silent` if the server speaks or leaves before the protocol is known. */
async function whoSpeaks(client: Duplex, upstream: Duplex): Promise<FirstBytes> {
  const heard = new AbortController();
  const hear = (): void => heard.abort();
  const events = ['readable', 'end', 'close'] as const;
  for (const event of events) upstream.on(event, hear);
  if (upstream.readableLength > 0 || upstream.readableEnded || upstream.closed) hear();
  const first = await firstBytes(client, { until: heard.signal, recognise: recogniseWhole });
  for (const event of events) upstream.off(event, hear);
  return first;
}

/**
 * Refuses a redirect that would bypass the inspection of requests. Undefined if nothing is bypassed.
 *
 * Attack: a project redirects an uninspected host to one whose requests are decided or inspected, such as a server of
 * models with a budget. Bytes that are passed on unchanged would bypass all of that.
 */
export function refuseAround(
  from: Destination,
  leads: Destination,
  context: PipelineContext,
): EgressRefusal | undefined {
  if (leads.host === from.host && leads.port === from.port) return undefined;
  const isSpokenFor = context.routes.has(leads.host) || context.broker(leads) !== undefined;
  if (!isSpokenFor && context.authority.tlsTreatment(leads) !== 'intercept') return undefined;
  const to = `${leads.host}:${leads.port}`;
  return {
    code: 'policy',
    message: `a rule leads ${from.host}:${from.port} to ${to}, whose requests are inspected, and through this redirect they would not be`,
    remedy: `connect to ${to} itself, or drop the redirect`,
  };
}
