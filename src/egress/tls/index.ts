/**
 * The TLS room: who a client asks for, the certificates it is shown, and whether a server is who it should be.
 *
 * Pure: reading a ClientHello, writing certificates, trust stores and bundles. Sockets appear in `terminateTls`, which ends
 * TLS for one host that was decided, and in `secureUpstream`, which speaks it to the server of that name; files only in
 * `host-trust.ts`. HTTP, policies and dialling may not enter, and no private key leaves: the authority of a session lives
 * in memory and dies with it.
 */
export { type CertificateAuthority, createAuthority } from './authority.ts';
export type { Unnamed } from './client-refusals.ts';
export { type ClientHello, type ClientHelloParse, parseClientHello } from './client-hello.ts';
export { hostRoots, type HostTrustFile, hostTrustFiles } from './host-trust.ts';
export { leafContexts, type LeafOptions } from './leaf.ts';
export { type Alpn, type Terminated, type TerminateOptions, terminateTls } from './terminate.ts';
export { type TrustBundle, trustBundle, type TrustFile, trustFiles } from './trust-bundle.ts';
export { type TrustFilePaths, trustVariables } from './trust-variables.ts';
export { type SecuredUpstream, secureUpstream, type SecureUpstreamOptions } from './upstream.ts';
export { createUpstreamTrust, type UpstreamTrust, type UpstreamTrustOptions } from './upstream-trust.ts';
