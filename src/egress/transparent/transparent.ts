import type { Socket as DatagramSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { serveDns, type AnswerContext, type DnsService, type LookupRecord, type NameTable } from '../dns/index.ts';
import type { ClientOrigin, PipelineContext } from '../pipeline/context.ts';
import { refuse, serveConnection } from '../pipeline/serve-connection.ts';
import { dialledBy } from './destination.ts';

export interface TransparentOptions {
  readonly pipeline: PipelineContext;
  readonly lookups: AnswerContext;
  readonly names: NameTable;
  /** Address of the resolver in the box. */
  readonly resolver: string;
  recordLookup(lookup: LookupRecord): void;
}

export interface DialledAddress {
  readonly address: string;
  readonly port: number;
}

/** The connections and look-ups that come out of one box. */
export interface TransparentBox {
  /** A connection that was accepted on a listener of the box: paused, with `allowHalfOpen` and TCP_NODELAY. `dialled` is what its client connected to; default: the address that it was accepted at. */
  accept(client: Socket, dialled?: DialledAddress): void;
  /** The bound socket of its resolver; without one it is asked over TCP alone. */
  dns(socket?: DatagramSocket): void;
  /** Ends every connection; resolves when the last has been recorded. */
  close(): Promise<void>;
}

/** More at once from one box are reset: each holds two descriptors of the supervisor. */
const mostConnections = 16_384;

export function serveTransparent(options: TransparentOptions): TransparentBox {
  const clients = new Map<Socket, Promise<void>>();
  let dns: DnsService | undefined;
  return {
    accept(client, dialled) {
      if (clients.size >= mostConnections) return void client.resetAndDestroy();
      clients.set(client, serve({ client, dialled, dns }, options).finally(() => clients.delete(client)));
    },
    dns(socket) {
      dns = serveDns({ ...(socket === undefined ? {} : { udp: socket }), context: options.lookups, record: options.recordLookup });
    },
    async close() {
      dns?.close();
      for (const client of clients.keys()) client.destroy();
      await Promise.all(clients.values());
    },
  };
}

interface Accepted {
  readonly client: Socket;
  readonly dialled: DialledAddress | undefined;
  readonly dns: DnsService | undefined;
}

async function serve({ client, dialled: original, dns }: Accepted, { pipeline, names, resolver }: TransparentOptions): Promise<void> {
  const { localAddress, localPort, remoteAddress, remotePort } = client;
  // It was reset before it was accepted.
  if (localAddress === undefined || localPort === undefined) return void client.destroy();
  const { address, port } = original ?? { address: localAddress, port: localPort };
  const dialled = dialledBy(address, port, { names, resolver });
  if (dialled.kind === 'resolver') return dns === undefined ? void client.resetAndDestroy() : dns.accept(client);
  const { destination } = dialled;
  const origin: ClientOrigin = { front: isLoopback(destination.host) ? 'loopback' : 'transparent', address: remoteAddress ?? '', port: remotePort ?? 0 };
  if (dialled.kind === 'destination') return serveConnection({ client, destination, origin }, pipeline);
  client.on('error', () => client.destroy());
  await refuse({ client, destination, origin }, pipeline, { refusal: dialled.refusal });
  pipeline.record({ front: origin.front, destination, refusal: dialled.refusal, bytesSent: 0, bytesReceived: 0, duration: 0 }, origin);
}

function isLoopback(host: string): boolean {
  return host === '::1' || host.startsWith('127.');
}
