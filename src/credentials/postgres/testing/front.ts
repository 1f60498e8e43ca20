import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Broker, BrokerEvent, BrokerWays, Dialled, EgressRefusal, Refused } from '../../../egress/types.ts';
import { createAuthority } from '../../../egress/tls/authority.ts';
import { leafContexts } from '../../../egress/tls/leaf.ts';
import { terminateTls } from '../../../egress/tls/terminate.ts';
import { createUpstreamTrust } from '../../../egress/tls/upstream-trust.ts';
import { secureUpstream } from '../../../egress/tls/upstream.ts';

/** Accepts connections as the pipeline would, and passes them to a broker. */
export interface Front {
  readonly port: number;
  /** PEM of the authority that clients have to trust. */
  readonly certificate: string;
  readonly events: readonly BrokerEvent[];
  readonly refusals: readonly EgressRefusal[];
  /** Opened connections to the server. */
  readonly dials: readonly Socket[];
  /** Clients in service. */
  readonly serving: number;
  stop(): Promise<void>;
}

export interface FrontOptions {
  readonly broker: Broker;
  readonly host?: string;
  /** The clients' target port. Default 5432. */
  readonly destinationPort?: number;
  /** The server's real port, on loopback. */
  readonly port: number;
  /** PEM of roots for the server's certificate. */
  readonly roots?: readonly string[];
}

export async function startFront({
  broker,
  host = 'db.example.com',
  destinationPort = 5432,
  port,
  roots = [],
}: FrontOptions): Promise<Front> {
  const authority = createAuthority();
  const contextFor = leafContexts(authority);
  const trust = createUpstreamTrust({ roots });
  const events: BrokerEvent[] = [];
  const refusals: EgressRefusal[] = [];
  const dials: Socket[] = [];
  const clients = new Set<Socket>();
  let serving = 0;
  const ways: BrokerWays = {
    destination: { host, port: destinationPort },
    async dial() {
      const dialled = await dial(port);
      if (dialled.kind === 'dialled') dials.push(dialled.socket);
      return dialled;
    },
    terminateTls: (client) => terminateTls(client, { host, alpn: [], contextFor, unnamed: 'always' }),
    secure: (upstream) => secureUpstream(upstream, { host, alpn: [], trust }),
    untilGone: () => ({ signal: new AbortController().signal, end: () => undefined }),
    record: (event) => void events.push(event),
    refused: (refusal) => void refusals.push(refusal),
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    clients.add(client);
    serving += 1;
    client.once('close', () => clients.delete(client));
    void broker.serve(client, ways).finally(() => (serving -= 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    certificate: authority.certificatePem,
    events,
    refusals,
    dials,
    get serving() {
      return serving;
    },
    async stop() {
      for (const client of clients) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function dial(port: number): Promise<Dialled | Refused> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true });
    socket.pause();
    socket.once('connect', () => resolve({ kind: 'dialled', socket, address: '127.0.0.1' }));
    socket.on('error', () =>
      resolve({
        kind: 'refused',
        refusal: { code: 'unreachable', message: 'the server cannot be reached', remedy: 'start it' },
      }),
    );
  });
}
