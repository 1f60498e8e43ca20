/**
 * The egress room: the only way from a box to the network.
 *
 * One pipeline: name → decide → resolve → vet every address → dial the vetted address → splice, or end TLS for rules
 * about requests → journal. Sockets and clocks live here; what may be reached is asked of an `Authority` and never
 * decided here. Policies, plans, boxes and credentials may not enter.
 */
export { newProxySecret } from './proxy/refusals.ts';
export { type ProxyAddress, proxyEnvironment } from './proxy/environment.ts';
export type { ProxiedConnection, ProxyFront } from './proxy/refusals.ts';
export type { ProxyServerOptions } from './proxy/create-proxy.ts';
export type * from './types.ts';
export { type BoxRecorders, createEgress, type Egress, type EgressOptions, type Fetcher } from './egress.ts';
export type { LookupRecord } from './dns/find.ts';
export {
  bodyFrom,
  type InterceptedConnection,
  type Interceptor,
  observeBody,
  type Send,
  textBody,
} from './http/interceptor.ts';
export { type ByteSource, byteSource } from './http/byte-source.ts';
export { field, fieldValue, valuesOf, withField, withoutField } from './http/message.ts';
export { readingsOf } from './http/url-path.ts';
export type { Body, Field, Fields, IncomingResponse, OutgoingRequest, Scheme } from './http/message.ts';
export { createAuthority, type CertificateAuthority } from './tls/authority.ts';
export { hostRoots, type HostTrustFile } from './tls/host-trust.ts';
export type { TransparentBox } from './transparent/transparent.ts';
export type { FetchContext, FetchedBytes, FetchedText, FetchOptions, FetchResult } from './fetch/types.ts';
