import type { SecureContext } from 'node:tls';
import type { UpstreamDialler } from '../dial/index.ts';
import type { IdleConnections } from '../http/h1/idle-connections.ts';
import type { Interceptor } from '../http/interceptor.ts';
import type { UpstreamTrust } from '../tls/upstream-trust.ts';
import type { ConnectionRecord, Destination, EgressRefusal, Front, RequestRecord } from '../types.ts';
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
  /** Connections to destinations that earlier clients have left open. */
  readonly idle: IdleConnections;
  /** Called once for each connection, when it has ended. */
  record(connection: ConnectionRecord, client: ClientOrigin): void;
  recordRequest(request: RequestRecord, client: ClientOrigin): void;
  /** Called at once when something was refused. */
  refused(refusal: EgressRefusal, destination: Destination, client: ClientOrigin): void;
}

/** Where a connection comes from: enough to find the process behind it. */
export interface ClientOrigin {
  readonly front: Front;
  /** The client's own address and port in the box. */
  readonly address: string;
  readonly port: number;
}
