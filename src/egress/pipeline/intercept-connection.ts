import type { Duplex } from 'node:stream';
import { interceptHttp } from '../http/intercept.ts';
import type { InterceptContext, Upstream } from '../http/types.ts';
import { secureUpstream } from '../tls/upstream.ts';
import { type Alpn, terminateTls } from '../tls/terminate.ts';
import type { Destination, EgressRefusal, Refused } from '../types.ts';
import type { PipelineContext } from './context.ts';
import { firstBytes } from './first-bytes.ts';
import { mismatch } from './inspect-hello.ts';
import { reach } from './reach.ts';
import { type Ended, refuse, type ServedConnection } from './serve-connection.ts';

/** Milliseconds for a client's first bytes: rules about requests cannot be asked before there is one. */
const patience = 10_000;

/**
 * Serves a connection to a host that rules about requests are for. Its requests are decided one by one; what speaks no
 * HTTP is refused, because no rule could be asked about it.
 */
export async function interceptConnection(served: ServedConnection, context: PipelineContext): Promise<Ended> {
  const { client, destination } = served;
  served.reached?.();
  const first = await firstBytes(client, patience);
  switch (first.kind) {
    case 'http':
      return interceptAs(served, context, { client, scheme: 'http', alpn: 'http/1.1' });
    case 'tls': {
      const name = first.hello.serverName;
      if (name !== undefined && name !== destination.host) return refuseBoth(served, context, mismatch(destination.host, name));
      return interceptTls(served, context, first.hello.alpn);
    }
    case 'malformed':
    case 'other':
      return refuseBoth(served, context, notHttp(destination));
    case 'silent': {
      const hasLeft = client.destroyed || client.readableEnded;
      client.resetAndDestroy();
      if (hasLeft) return {};
      return { refusal: { code: 'client-tls', message: `nothing was said on the connection to ${destination.host} for ${patience} ms`, remedy: 'send the request at once' } };
    }
  }
}

/** Serves plain requests that stand in the client's socket: what a proxy was asked for by absolute URL. */
export function interceptRequests(served: ServedConnection, context: PipelineContext): Promise<Ended> {
  served.reached?.();
  return interceptAs(served, context, { client: served.client, scheme: 'http', alpn: 'http/1.1' });
}

async function interceptTls(served: ServedConnection, context: PipelineContext, offered: readonly string[]): Promise<Ended> {
  const { client, destination } = served;
  const upstreams = upstreamsOf(destination, context);
  const alpn = offered.includes('h2') && (await upstreams.speaksHttp2()) ? (['h2', 'http/1.1'] as const) : (['http/1.1'] as const);
  try {
    const secured = await terminateTls(client, { host: destination.host, alpn, contextFor: context.contextFor });
    if (secured.kind === 'refused') {
      context.refused(secured.refusal, destination, served.origin);
      return { refusal: secured.refusal };
    }
    return await interceptAs(served, context, { client: secured.socket, scheme: 'https', alpn: secured.alpn, open: upstreams.open });
  } finally {
    upstreams.discard();
  }
}

interface Intercepted {
  readonly client: Duplex;
  readonly scheme: 'http' | 'https';
  readonly alpn: Alpn;
  readonly open?: InterceptContext['openUpstream'];
}

async function interceptAs(served: ServedConnection, context: PipelineContext, { client, scheme, alpn, open }: Intercepted): Promise<Ended> {
  const { destination, origin } = served;
  const openUpstream = open ?? ((): Promise<Upstream | Refused> => openPlain(destination, context));
  const record: InterceptContext['record'] = (request) => {
    if (request.refusal !== undefined) context.refused(request.refusal, destination, origin);
    context.recordRequest(request, origin);
  };
  await interceptHttp(client, { scheme, alpn, destination, authority: context.authority, openUpstream, interceptors: context.interceptors, idle: context.idle, record });
  return { bytes: { sent: served.client.bytesRead, received: served.client.bytesWritten } };
}

interface Upstreams {
  speaksHttp2(): Promise<boolean>;
  open(options: { readonly alpn: Alpn }): Promise<Upstream | Refused>;
  /** Ends what no request has used, which would stay as long as the other side likes. */
  discard(): void;
}

/** Connections to the vetted address. The one that found out what the other side speaks serves the first request. */
function upstreamsOf(destination: Destination, context: PipelineContext): Upstreams {
  let first: Upstream | undefined;
  return {
    async speaksHttp2() {
      const opened = await openSecure(destination, context, ['h2', 'http/1.1']);
      if (!('alpn' in opened)) return false;
      first = opened;
      return opened.alpn === 'h2';
    },
    async open({ alpn }) {
      const known = first;
      first = undefined;
      if (known !== undefined && known.alpn === alpn && !known.destroyed) return known;
      known?.destroy();
      return openSecure(destination, context, [alpn]);
    },
    discard() {
      first?.destroy();
      first = undefined;
    },
  };
}

async function openSecure(destination: Destination, context: PipelineContext, alpn: readonly Alpn[]): Promise<Upstream | Refused> {
  const plain = await openSocket(destination, context);
  if (plain.kind === 'refused') return plain;
  const secured = await secureUpstream(plain.socket, { host: destination.host, alpn, trust: context.trust() });
  return secured.kind === 'refused' ? secured : Object.assign(secured.socket, { alpn: secured.alpn });
}

async function openPlain(destination: Destination, context: PipelineContext): Promise<Upstream | Refused> {
  const plain = await openSocket(destination, context);
  return plain.kind === 'refused' ? plain : Object.assign(plain.socket, { alpn: 'http/1.1' as const });
}

async function openSocket(destination: Destination, context: PipelineContext): ReturnType<PipelineContext['dial']> {
  const reached = await reach(destination, 'request', context);
  return reached.kind === 'refused' ? reached : context.dial(reached.vetted);
}

function refuseBoth(served: ServedConnection, context: PipelineContext, refusal: EgressRefusal): Promise<Ended> {
  return refuse({ client: served.client, destination: served.destination, origin: served.origin }, context, { refusal });
}

function notHttp({ host, port }: Destination): EgressRefusal {
  return { code: 'malformed-request', message: `rules about requests hold for ${host}:${port}, and the client speaks no HTTP`, remedy: `list ${host} under passthrough of [network] if it has to speak something else, and drop its http rules` };
}

