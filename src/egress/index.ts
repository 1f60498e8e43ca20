/**
 * The egress room: the only way from a box to the network.
 *
 * One pipeline: name → decide → resolve → vet every address → dial the vetted address → splice, or end TLS for rules
 * about requests → journal. Sockets and clocks live here; what may be reached is asked of an `Authority` and never
 * decided here. Policies, plans, boxes and credentials may not enter.
 */
export { newProxySecret, proxyEnvironment, type ProxiedConnection, type ProxyAddress, type ProxyFront, type ProxyServerOptions } from './proxy/index.ts';
export type * from './types.ts';
export { createEgress, type BoxRecorders, type Egress, type EgressOptions } from './egress.ts';
export type { LookupRecord } from './dns/index.ts';
export { bodyFrom, type ByteSource, byteSource, field, readingsOf, type Body, type Field, type Fields, type Interceptor, type InterceptedConnection, type IncomingResponse, observeBody, type OutgoingRequest, type Scheme, type Send, textBody, valueOf, valuesOf, withField, withoutField } from './http/index.ts';
export { createAuthority, type CertificateAuthority } from './tls/authority.ts';
export { hostRoots, type HostTrustFile } from './tls/host-trust.ts';
export type { TransparentBox } from './transparent/transparent.ts';
export type { FetchContext, FetchedBytes, Fetcher, FetchedText, FetchOptions, FetchResult } from './fetch/index.ts';
