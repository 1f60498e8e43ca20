import type { Socket as DatagramSocket } from 'node:dgram';
import { isIPv4, type Socket } from 'node:net';
import { normaliseHost } from '../../policy/normalise/host.ts';
import type { LookupRecord } from '../dns/find.ts';
import { type AnswerContext, isFakeAddress, type NameTable } from '../dns/name-table.ts';
import { type DnsService, serveDns } from '../dns/serve.ts';
import type { ClientOrigin, PipelineContext } from '../pipeline/context.ts';
import { refuseServed } from '../pipeline/refuse-client.ts';
import { serveConnection } from '../pipeline/serve-connection.ts';
import type { Destination, EgressRefusal } from '../types.ts';

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

/** The connections and look-ups of one box. */
export interface TransparentBox {
  /**
   * Takes a connection that a listener of the box accepted: paused, with `allowHalfOpen` and TCP_NODELAY. `dialled` is
   * the client's destination. Default: the address of its acceptance.
   */
  accept(client: Socket, dialled?: DialledAddress): void;
  /** Takes the bound socket of the box's resolver. Without a socket, the resolver answers over TCP alone. */
  dns(socket?: DatagramSocket): void;
  /** Ends every connection. Resolves when the last has been recorded. */
  close(): Promise<void>;
}

/** Most connections of one box at once. Each holds two descriptors of the supervisor, so further ones are reset. */
const mostConnections = 16_384;

export function serveTransparent(options: TransparentOptions): TransparentBox {
  const clients = new Map<Socket, Promise<void>>();
  let dns: DnsService | undefined;
  return {
    accept(client, dialled) {
      if (clients.size >= mostConnections) return void client.resetAndDestroy();
      clients.set(
        client,
        serve({ client, dialled, dns }, options).finally(() => clients.delete(client)),
      );
    },
    dns(socket) {
      dns = serveDns({
        ...(socket === undefined ? {} : { udp: socket }),
        context: options.lookups,
        record: options.recordLookup,
      });
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

async function serve(
  { client, dialled: original, dns }: Accepted,
  { pipeline, names, resolver }: TransparentOptions,
): Promise<void> {
  const { localAddress, localPort, remoteAddress, remotePort } = client;
  // The connection was reset before it was accepted.
  if (localAddress === undefined || localPort === undefined) return void client.destroy();
  const { address, port } = original ?? { address: localAddress, port: localPort };
  const dialled = dialledBy(address, port, { names, resolver });
  if (dialled.kind === 'resolver') return dns === undefined ? void client.resetAndDestroy() : dns.accept(client);
  const { destination } = dialled;
  const origin: ClientOrigin = {
    front: isLoopback(destination.host) ? 'loopback' : 'transparent',
    address: remoteAddress ?? '',
    port: remotePort ?? 0,
  };
  if (dialled.kind === 'destination') return serveConnection({ client, destination, origin }, pipeline);
  client.on('error', () => client.destroy());
  await refuseServed({ client, destination, origin }, pipeline, { refusal: dialled.refusal });
  pipeline.record(
    { front: origin.front, destination, refusal: dialled.refusal, bytesSent: 0, bytesReceived: 0, duration: 0 },
    origin,
  );
}

function isLoopback(host: string): boolean {
  return host === '::1' || host.startsWith('127.');
}

type Dialled =
  | { readonly kind: 'destination'; readonly destination: Destination }
  /** The resolver of the box, over TCP. */
  | { readonly kind: 'resolver' }
  | { readonly kind: 'unknown'; readonly destination: Destination; readonly refusal: EgressRefusal };

interface DialledOptions {
  readonly names: NameTable;
  /** Address of the resolver in the box. */
  readonly resolver: string;
}

/**
 * Returns the destination of a client that connected to an address in the box: the name behind that address, or the
 * address itself.
 */
export function dialledBy(address: string, port: number, { names, resolver }: DialledOptions): Dialled {
  const host = spelling(address);
  if (host === resolver && port === 53) return { kind: 'resolver' };
  const [name] = names.namesOf(host);
  if (name !== undefined) return { kind: 'destination', destination: { host: name, port } };
  if (!isFakeAddress(host)) return { kind: 'destination', destination: { host, port } };
  const message = `${host} belongs to no name of this session`;
  return {
    kind: 'unknown',
    destination: { host, port },
    refusal: {
      code: 'special-address',
      message,
      remedy: 'look the name up again: each session gives it a new address',
    },
  };
}

const mapped = '::ffff:';

/** Sockets that listen on both families show IPv4 as `::ffff:192.0.2.1`. */
function spelling(address: string): string {
  const v4 = address.startsWith(mapped) ? address.slice(mapped.length) : address;
  return isIPv4(v4) ? v4 : (normaliseHost(address)?.text ?? address);
}
