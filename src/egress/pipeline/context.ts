import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { Verdict } from '../../policy/verdict.ts';
import type { UpstreamDialler } from '../dial/upstream-proxy.ts';
import type { IdleConnections } from '../http/h1/idle-connections.ts';
import type { Interceptor } from '../http/interceptor.ts';
import type { SplicedBytes } from '../splice/splice.ts';
import type { UpstreamTrust } from '../tls/upstream-trust.ts';
import type {
  Broker,
  ConnectionRecord,
  Destination,
  EgressRefusal,
  ConnectionFront,
  RequestRecord,
  Routes,
  StatementRecord,
  StreamWatch,
} from '../types.ts';
import type { ReachContext } from './reach.ts';

export type Dialler = UpstreamDialler;

/** What the pipeline is made of. One for each session. */
export interface PipelineContext extends ReachContext {
  readonly dial: Dialler;
  /** Certificates of the session's authority, for the hosts that TLS is ended for. */
  readonly contextFor: (host: string) => SecureContext;
  /** Which servers are believed. */
  readonly trust: () => UpstreamTrust;
  /** Whether clients believe our certificates, so that a refusal can be told inside TLS; else it is an alert. */
  readonly explainTls: 'answer' | 'alert';
  readonly interceptors: readonly Interceptor[];
  /** Looks at watched connections that hold no HTTP, each by one of its own. */
  readonly watch: (destination: Destination) => StreamWatch;
  /** Who speaks for the box at a destination. */
  readonly broker: (destination: Destination) => Broker | undefined;
  readonly routes: Routes;
  /** Connections to destinations that earlier clients have left open. */
  readonly idle: IdleConnections;
  /** Whether no process holds the other end of a connection any more. Absent: nobody knows. */
  hasLeft?(client: ClientOrigin): boolean;
  /** Called once for each connection, when it has ended. */
  record(connection: ConnectionRecord, client: ClientOrigin): void;
  recordRequest(request: RequestRecord, client: ClientOrigin): void;
  recordStatement(statement: StatementRecord, client: ClientOrigin): void;
  /** Called at once when something was refused. */
  refused(refusal: EgressRefusal, destination: Destination, client: ClientOrigin): void;
}

/** Where a connection comes from: enough to find the process behind it. */
export interface ClientOrigin {
  readonly front: ConnectionFront;
  /** The client's own address and port in the box. */
  readonly address: string;
  readonly port: number;
}

export interface ServedConnection {
  /** Accepted, paused, with `allowHalfOpen` and TCP_NODELAY. */
  readonly client: Socket;
  readonly destination: Destination;
  readonly origin: ClientOrigin;
  /** Called when the destination was reached, before its first byte: a proxy says so to its client. */
  reached?(): void;
  /**
   * How a refusal is said where a proxy has not answered its client yet. Default: as the client's own protocol has it.
   */
  refuse?(refusal: EgressRefusal): void;
}

/** How a connection ended. */
export interface Ended {
  readonly verdict?: Verdict;
  readonly refusal?: EgressRefusal;
  readonly address?: string;
  readonly bytes?: SplicedBytes;
}

/**
 * Who has its answer and stays holds a descriptor: it counts as a connection until it goes, and goes after `patience`
 * milliseconds.
 */
export function closed(socket: Duplex, patience: number): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) return resolve();
    const timer = setTimeout(() => socket.destroy(), patience);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
