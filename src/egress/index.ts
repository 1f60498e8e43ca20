/**
 * The egress room: the only way from a box to the network.
 *
 * One pipeline: name → decide → resolve → vet every address → dial the vetted address → splice, or end TLS for rules
 * about requests → journal. Sockets and clocks live here; what may be reached is asked of an `Authority` and never
 * decided here. Policies, plans, boxes and credentials may not enter.
 */
export { createProxy, newProxySecret, proxyEnvironment, type ProxiedConnection, type ProxyAddress, type ProxyFront, type ProxyServerOptions } from './proxy/index.ts';
export type * from './types.ts';
export { createEgress, type BoxRecorders, type Egress, type EgressOptions } from './egress.ts';
export type { LookupRecord } from './dns/index.ts';
export { bodyFrom, type ByteSource, byteSource, field, readingsOf, tokensOf, type Body, type Field, type Fields, type Interceptor, type InterceptedConnection, type IncomingResponse, observeBody, onRequest, onResponse, type OutgoingRequest, type Scheme, type Send, textBody, valueOf, valuesOf, withField, withoutField } from './http/index.ts';
export { createAuthority, type CertificateAuthority } from './tls/authority.ts';
export { hostRoots, hostTrustFiles, type HostTrustFile } from './tls/host-trust.ts';
export type { TransparentBox } from './transparent/transparent.ts';
export { trustBundle } from './tls/trust-bundle.ts';
export { trustVariables } from './tls/trust-variables.ts';
export { createFetcher, type FetchContext, type FetchedBytes, type Fetcher, type FetchedText, type FetchOptions, type FetchResult } from './fetch/index.ts';
export { vetUnresolved } from './ssrf/index.ts';
