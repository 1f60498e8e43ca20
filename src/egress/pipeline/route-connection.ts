import type { Destination, EgressRefusal } from '../types.ts';
import type { PipelineContext } from './context.ts';
import { firstBytes } from './first-bytes.ts';
import { fellSilent, interceptAs, patience, refuseReached, requestWay } from './intercept-connection.ts';
import { type Ended, refuse, type ServedConnection } from './serve-connection.ts';
import { upstreamsOf } from './upstreams.ts';

/** Where routes are served. */
const routePort = 80;

/**
 * Serves a connection to a name that exists only in the box, for clients that cannot be made to believe the session's
 * authority: plain requests go on as https to where the name leads, and are decided as requests to there.
 */
export async function routeConnection(served: ServedConnection, context: PipelineContext): Promise<Ended> {
  const { client, destination } = served;
  const target = context.routes.get(destination.host);
  if (target === undefined || destination.port !== routePort) return refuse(served, context, { refusal: noRoute(destination) });
  served.reached?.();
  const first = await firstBytes(client, { until: patience });
  switch (first.kind) {
    case 'http':
      return serveRoute(served, context, target);
    case 'tls':
    case 'malformed':
    case 'other':
      return refuseReached(served, context, notPlain(destination));
    case 'silent':
      return fellSilent(served);
  }
}

async function serveRoute(served: ServedConnection, context: PipelineContext, target: Destination): Promise<Ended> {
  const { client, destination } = served;
  const way = requestWay(target, context);
  const upstreams = upstreamsOf(way, { host: target.host, offered: ['http/1.1'], trust: context.trust });
  return interceptAs(served, context, { client, scheme: 'https', alpn: 'http/1.1', way, open: upstreams.open, knownAs: { scheme: 'http', destination } });
}

function noRoute({ host, port }: Destination): EgressRefusal {
  return { code: 'malformed-host', message: `${host} leads somewhere at port ${routePort} only, and ${port} was asked for`, remedy: `use http://${host}/` };
}

function notPlain({ host }: Destination): EgressRefusal {
  return { code: 'malformed-request', message: `${host} is for plain HTTP/1.1, and the client speaks something else`, remedy: `use http://${host}/: what goes out is https` };
}
