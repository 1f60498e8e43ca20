import type { Duplex } from 'node:stream';
import type { Authority, Destination, Refused, RequestRecord } from '../types.ts';
import type { IdleConnections } from './h1/idle-connections.ts';
import type { Interceptor } from './interceptor.ts';
import type { Alpn, Scheme } from './message.ts';

/** A new connection to the vetted address, secured when the scheme is https. */
export type Upstream = Duplex & { readonly alpn: Alpn };

/** The destination as the client sees it. */
export interface ClientView {
  readonly scheme: Scheme;
  readonly destination: Destination;
}

/** What the interception needs to know of a client whose connection has been decided. */
export interface InterceptContext {
  readonly scheme: Scheme;
  /** What the client speaks. On an `http` connection the preface of HTTP/2 is found out by itself. */
  readonly alpn: Alpn;
  readonly destination: Destination;
  readonly authority: Authority;
  /** `alpn` is what is needed; a connection that speaks the other is refused with `upstream-protocol`. */
  openUpstream(options: { readonly alpn: Alpn }): Promise<Upstream | Refused>;
  readonly interceptors: readonly Interceptor[];
  /** `when-allowed`: nothing is opened before a request has been. Default: `ahead`, where the version of HTTP wants it. */
  readonly dials?: 'ahead' | 'when-allowed';
  /** Where a rule redirects the destination. */
  readonly redirected?: Destination;
  /** What the client calls the destination, and how it speaks to it, where that is not its own name and scheme. HTTP/1.1 only. */
  readonly knownAs?: ClientView;
  /** Called for each request once, when its answer begins or it is refused. */
  record(record: RequestRecord): void;
  /** HTTP/1.1 connections that other clients have left open. Without it a client's own die with it. */
  readonly idle?: IdleConnections;
}
