import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { loopbackHosts } from '../loopback-names.ts';
import { terminateTls } from '../tls/terminate.ts';
import { secureUpstream } from '../tls/upstream.ts';
import type { Broker, BrokerEvent, BrokerWays, Destination, Dialled, EgressRefusal, Refused } from '../types.ts';
import { closed, type Ended, type PipelineContext, type ServedConnection } from './context.ts';
import { leadsTo, reach } from './reach.ts';
import { refuseServed } from './refuse-client.ts';
import { wayTo } from './way.ts';

/** Milliseconds for either side to read a broker's last bytes. */
const farewell = 2000;

/**
 * Serves a connection through a broker, which speaks with both sides. The connection is decided and vetted before the
 * broker sees it. Connections that the broker opens can lead only to the destination, and end with the client.
 */
export async function brokerConnection(
  served: ServedConnection,
  context: PipelineContext,
  broker: Broker,
): Promise<Ended> {
  const { client, destination } = served;
  const reached = await reach(destination, 'connection', context);
  if (reached.kind === 'refused') return refuseServed(served, context, reached);
  served.reached?.();
  const session = brokered(served, context, broker);
  try {
    await broker.serve(client, session.ways);
    session.client().end().resume();
    await closed(client, farewell);
  } finally {
    session.end();
  }
  return {
    verdict: reached.verdict,
    ...session.known(),
    bytes: { sent: client.bytesRead, received: client.bytesWritten },
  };
}

interface Brokered {
  readonly ways: BrokerWays;
  /** Returns the stream to the client, inside its TLS once that is terminated. */
  client(): Duplex;
  /** Returns facts for the record of the connection. */
  known(): Pick<Ended, 'address' | 'refusal'>;
  /** Ends all connections that the broker has left open, after giving them time for their last bytes. */
  end(): void;
}

function brokered(served: ServedConnection, context: PipelineContext, { name: protocol }: Broker): Brokered {
  const { destination, origin } = served;
  const opened: Dialled[] = [];
  let spokenTo: Duplex = served.client;
  let refusal: EgressRefusal | undefined;
  let session: Pick<Extract<BrokerEvent, { readonly kind: 'session' }>, 'user' | 'database'> = { user: '' };
  const refused = (said: EgressRefusal): void => {
    refusal = said;
    context.refused(said, destination, origin);
  };
  const told = <Outcome extends { readonly kind: string }>(outcome: Outcome | Refused): Outcome | Refused => {
    if ('refusal' in outcome) refused(outcome.refusal);
    return outcome;
  };
  return {
    ways: {
      destination,
      refused,
      untilGone: () => untilGone(served.client, () => context.hasLeft?.(origin) === true),
      dial: async () => told(await dial(destination, context, opened)),
      async terminateTls(client) {
        const secured = told(
          await terminateTls(client, {
            host: destination.host,
            alpn: [],
            contextFor: context.contextFor,
            unnamed: 'always',
          }),
        );
        if (secured.kind === 'secured') spokenTo = secured.socket;
        return secured;
      },
      secure: async (upstream) =>
        told(await secureUpstream(upstream, { host: provenName(destination), alpn: [], trust: context.trust() })),
      record(event) {
        if (event.kind === 'session') {
          session = event;
          return;
        }
        if (event.refusal !== undefined) context.refused(event.refusal, destination, origin);
        context.recordStatement({ protocol, destination, ...whose(session), ...statementOf(event) }, origin);
      },
    },
    client: () => spokenTo,
    known: () => ({
      ...(opened[0] === undefined ? {} : { address: opened[0].address }),
      ...(refusal === undefined ? {} : { refusal }),
    }),
    end: () => {
      for (const { socket } of opened) void closed(socket, farewell);
    },
  };
}

/** Refuses to dial if a rule redirects the destination. The other host must not get the destination's traffic. */
async function dial(destination: Destination, context: PipelineContext, opened: Dialled[]): Promise<Dialled | Refused> {
  const leads = leadsTo(destination, context);
  if (leads.host !== destination.host || leads.port !== destination.port)
    return { kind: 'refused', refusal: redirected(destination, leads) };
  const dialled = await wayTo(destination, { leads, use: 'connection' }, context).open();
  if (dialled.kind === 'dialled') opened.push(dialled);
  return dialled;
}

/** A local service is dialled at a loopback address, but its certificate is for its name. */
function provenName({ host }: Destination): string {
  return loopbackHosts.includes(host) ? 'localhost' : host;
}

function whose({ user, database }: { readonly user: string; readonly database?: string }): {
  readonly user: string;
  readonly database?: string;
} {
  return { user, ...(database === undefined ? {} : { database }) };
}

function statementOf({ text, decision, outcome, count }: Extract<BrokerEvent, { readonly kind: 'statement' }>) {
  return { text, decision, outcome, ...(count === undefined ? {} : { count }) };
}

function redirected({ host, port }: Destination, leads: Destination): EgressRefusal {
  return {
    code: 'credential-unavailable',
    message: `a rule redirects ${host}:${port} to ${leads.host}:${leads.port}, and the credential is for ${host} alone`,
    remedy: `drop the redirect, or bind a credential to ${leads.host}`,
  };
}

/** Milliseconds between checks that a client which has ended its side still exists. No event reports this. */
const pause = 2000;

interface UntilGone {
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Stops listening. Bytes that the client sent in the meantime stay unread. */
  end(): void;
}

/**
 * Detects that a waiting client has gone. A client that has only ended its own side may still wait for its answer.
 * `hasLeft` returns true if no process holds the other end any more.
 */
export function untilGone(client: Socket, hasLeft: () => boolean): UntilGone {
  const gone = new AbortController();
  // A shared reason, because the default one is an exception with a stack.
  const leave = (): void => gone.abort('gone');
  let again: NodeJS.Timeout | undefined;
  const look = (): void => {
    if (hasLeft()) leave();
  };
  const ended = (): void => {
    look();
    again ??= setInterval(look, pause).unref();
  };
  client.on('close', leave).on('end', ended);
  // No other event reports the end of an unread stream. A stream with a reader reports it without help.
  const isUnread = client.bytesRead === 0 && client.readableFlowing === false;
  if (isUnread) client.on('readable', ended).read(0);
  return {
    signal: gone.signal,
    end() {
      clearInterval(again);
      client.off('close', leave).off('end', ended);
      if (isUnread) client.off('readable', ended).pause();
    },
  };
}
