import type { ConnectRequest, HttpRequest } from '../../policy/request.ts';
import type { TlsTreatment, Verdict } from '../../policy/verdict.ts';
import { readInto } from '../splice/read-buffer.ts';
import { splice } from '../splice/splice.ts';
import type { ConnectionApproval, Authority, ConnectionRecord, Destination, EgressRefusal } from '../types.ts';
import { brokerConnection, untilGone } from './broker-connection.ts';
import type { Ended, PipelineContext, ServedConnection } from './context.ts';
import { firstBytes } from './first-bytes.ts';
import {
  fellSilent,
  inspectHello,
  interceptAs,
  interceptConnection,
  interceptRequests,
  interceptPatience,
  refuseReached,
  requestWay,
} from './intercept-connection.ts';
import { reach } from './reach.ts';
import { refuseServed } from './refuse-client.ts';
import { watchConnection, watchPlain, refuseAround } from './watch-connection.ts';
import { upstreamsOf } from './way.ts';

/** Serves one connection, from its acceptance until it is recorded. Never rejects. */
export function serveConnection(served: ServedConnection, context: PipelineContext): Promise<void> {
  return serve(served, forClient(served, context), carrierFor);
}

/** Serves a connection that is known to carry plain requests. */
export function serveRequests(served: ServedConnection, context: PipelineContext): Promise<void> {
  return serve(served, forClient(served, context), (_, own) => speakerFor(served, own) ?? interceptRequests);
}

function forClient(served: ServedConnection, context: PipelineContext): PipelineContext {
  const authority = clientAuthority(served, context);
  return authority === context.authority ? context : { ...context, authority };
}

type Carrier = (served: ServedConnection, context: PipelineContext) => Promise<Ended>;

function carrierFor(served: ServedConnection, context: PipelineContext): Carrier {
  return speakerFor(served, context) ?? carriers[context.authority.tlsTreatment(served.destination)];
}

/** Returns the broker of a destination, also for a proxy request by URL, so that nothing bypasses a broker. */
function speakerFor({ destination }: ServedConnection, context: PipelineContext): Carrier | undefined {
  if (context.routes.has(destination.host)) return routeConnection;
  const broker = context.broker(destination);
  return broker === undefined ? undefined : (served) => brokerConnection(served, context, broker);
}

/** The port at which routes work. */
const routePort = 80;

const carriers: Readonly<Record<TlsTreatment, Carrier>> = {
  splice: spliceConnection,
  passthrough: spliceConnection,
  intercept: interceptConnection,
  watch: watchConnection,
  plain: watchPlain,
};

async function serve(
  served: ServedConnection,
  context: PipelineContext,
  carrier: (served: ServedConnection, context: PipelineContext) => Carrier,
): Promise<void> {
  const { client } = served;
  client.on('error', () => client.destroy());
  const started = performance.now();
  try {
    const carry = carrier(served, context);
    record(served, context, { ...(await carry(served, context)), started });
  } catch (error) {
    client.resetAndDestroy();
    record(served, context, { started, refusal: brokenPipeline(error) });
  }
}

async function spliceConnection(served: ServedConnection, context: PipelineContext): Promise<Ended> {
  const { client, destination } = served;
  const reached = await reach(destination, 'connection', context);
  if (reached.kind === 'refused') return refuseServed(served, context, reached);
  const { verdict, vetted } = reached;
  const around = refuseAround(destination, vetted.destination, context);
  if (around !== undefined) return refuseServed(served, context, { refusal: around, verdict });
  const read = readInto();
  // Starts reading the client's bytes during the dial, up to the stream's buffer. This saves one turn of the event
  // loop.
  client.read(0);
  const dialled = await context.dial(vetted, { onread: read.onread });
  if (dialled.kind === 'refused') return refuseServed(served, context, { refusal: dialled.refusal, verdict });
  const { socket, address } = dialled;
  read.connect(client, socket);
  served.reached?.();
  const hello = inspectHello(destination.host);
  const bytes = await splice(client, socket, { download: 'onread', inspect: hello.inspect });
  const refusal = hello.refusal();
  if (refusal !== undefined) context.refused(refusal, destination, served.origin);
  return { verdict, address, bytes, ...(refusal === undefined ? {} : { refusal }) };
}

function record(
  { destination, origin }: ServedConnection,
  context: PipelineContext,
  { started, bytes, ...ended }: Ended & { readonly started: number },
): void {
  const connection: ConnectionRecord = {
    front: origin.front,
    destination,
    ...ended,
    bytesSent: bytes?.sent ?? 0,
    bytesReceived: bytes?.received ?? 0,
    duration: Math.round(performance.now() - started),
  };
  context.record(connection, origin);
}

function brokenPipeline(error: unknown): EgressRefusal {
  const text = error instanceof Error ? error.message : String(error);
  return {
    code: 'upstream-protocol',
    message: `the connection could not be served: ${text.replaceAll(/\p{Cc}/gu, ' ')}`,
    remedy: 'report this defect of Holdfast with its journal entry',
  };
}

/**
 * The authority for one client. A person is asked only once about a connection. The answer also covers later
 * connections to the same destination, and requests that only the same rule holds back. A client that leaves withdraws
 * its questions.
 */
function clientAuthority(
  served: Pick<ServedConnection, 'client' | 'origin'>,
  { authority, hasLeft }: Pick<PipelineContext, 'authority' | 'hasLeft'>,
): Authority {
  const { approve } = authority;
  if (approve === undefined) return authority;
  const approved = new Set<string>();
  const asked = async (
    request: ConnectRequest | HttpRequest,
    verdict: Verdict,
    signal?: AbortSignal,
  ): Promise<ConnectionApproval> => {
    const waiting = untilGone(served.client, () => hasLeft?.(served.origin) === true);
    try {
      return await approve(
        request,
        verdict,
        signal === undefined ? waiting.signal : AbortSignal.any([waiting.signal, signal]),
      );
    } finally {
      waiting.end();
    }
  };
  return {
    ...authority,
    async approve(request, verdict, signal) {
      const connection = connectionOf(request);
      const about = request.kind === 'connect' ? verdict : authority.decide(connection);
      if (!isSameRule(about, verdict)) return asked(request, verdict, signal);
      const key = JSON.stringify([connection, about.file, about.rule, about.line]);
      if (approved.has(key)) return { kind: 'allowed' };
      const answer = await asked(connection, about, signal);
      if (answer.kind === 'allowed') approved.add(key);
      return answer;
    },
  };
}

function connectionOf(request: ConnectRequest | HttpRequest): ConnectRequest {
  return request.kind === 'connect'
    ? request
    : { kind: 'connect', host: request.host, port: request.port, protocol: 'tcp' };
}

/** A rule about requests and a rule about connections may share a name, so their positions are compared too. */
function isSameRule(one: Verdict, other: Verdict): boolean {
  return (
    one.decision === other.decision && one.file === other.file && one.rule === other.rule && one.line === other.line
  );
}

/**
 * Serves a connection to a name that exists only in the box, for clients that cannot trust the session's authority.
 * Plain requests are sent as https to the name's target, and decided as requests to that target.
 */
async function routeConnection(served: ServedConnection, context: PipelineContext): Promise<Ended> {
  const { client, destination } = served;
  const target = context.routes.get(destination.host);
  if (target === undefined || destination.port !== routePort)
    return refuseServed(served, context, { refusal: noRoute(destination) });
  served.reached?.();
  const first = await firstBytes(client, { until: interceptPatience });
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
  return interceptAs(served, context, {
    client,
    scheme: 'https',
    alpn: 'http/1.1',
    way,
    open: upstreams.open,
    knownAs: { scheme: 'http', destination },
  });
}

function noRoute({ host, port }: Destination): EgressRefusal {
  return {
    code: 'malformed-host',
    message: `${host} works at port ${routePort} only, and the client asked for port ${port}`,
    remedy: `use http://${host}/`,
  };
}

function notPlain({ host }: Destination): EgressRefusal {
  return {
    code: 'malformed-request',
    message: `${host} is for plain HTTP/1.1, and the client speaks something else`,
    remedy: `use http://${host}/: Holdfast sends it as https`,
  };
}
