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

/** The parts of the pipeline, one set for each session. */
export interface PipelineContext extends ReachContext {
  readonly dial: Dialler;
  /** Returns a certificate of the session's authority, for hosts whose TLS is terminated. */
  readonly contextFor: (host: string) => SecureContext;
  /** Returns the trusted servers. */
  readonly trust: () => UpstreamTrust;
  /**
   * `answer`: clients trust the session's certificates, so they can read a refusal inside TLS. `alert`: a TLS alert
   * reports the refusal.
   */
  readonly explainTls: 'answer' | 'alert';
  readonly interceptors: readonly Interceptor[];
  /** Creates a watch for a connection without HTTP. */
  readonly watch: (destination: Destination) => StreamWatch;
  /** Returns the broker that speaks for the box at a destination. */
  readonly broker: (destination: Destination) => Broker | undefined;
  readonly routes: Routes;
  /** Idle connections to destinations, which earlier clients have left open. */
  readonly idle: IdleConnections;
  /** Returns true if no process holds the other end of a connection any more. Absent: unknown. */
  hasLeft?(client: ClientOrigin): boolean;
  /** Called once for each connection, at its end. */
  record(connection: ConnectionRecord, client: ClientOrigin): void;
  recordRequest(request: RequestRecord, client: ClientOrigin): void;
  recordStatement(statement: StatementRecord, client: ClientOrigin): void;
  /** Called at once for each refusal. */
  refused(refusal: EgressRefusal, destination: Destination, client: ClientOrigin): void;
}

/** Identifies the client of a connection, in enough detail to find its process. */
export interface ClientOrigin {
  readonly front: ConnectionFront;
  /** The client's own address and port in the box. */
  readonly address: string;
  readonly port: number;
}

export interface ServedConnection {
  /** Accepted and paused, with `allowHalfOpen` and TCP_NODELAY. */
  readonly client: Socket;
  readonly destination: Destination;
  readonly origin: ClientOrigin;
  /** Called when the destination is connected, before its first byte. A proxy then answers its client. */
  reached?(): void;
  /** Sends a refusal if a proxy has not answered its client yet. Default: in the client's own protocol. */
  refuse?(refusal: EgressRefusal): void;
}

/** Result of a connection. */
export interface Ended {
  readonly verdict?: Verdict;
  readonly refusal?: EgressRefusal;
  readonly address?: string;
  readonly bytes?: SplicedBytes;
}

/**
 * Waits for a side to close. A client that stays after its answer still holds a descriptor. It therefore counts as a
 * connection, and is closed after `patience` milliseconds.
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
