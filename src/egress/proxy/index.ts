/**
 * The proxy front: for clients whose connections cannot be taken transparently. One port speaks SOCKS5, HTTP CONNECT and
 * absolute-form HTTP. Here bytes are understood, clients are admitted by the secret of their session, and answers are put
 * into their protocol; names are not resolved, nothing is dialled, and nothing is decided: that is injected.
 */
export { createProxy, type ProxyServerOptions } from './create-proxy.ts';
export { proxyEnvironment, type ProxyAddress } from './environment.ts';
export { newProxySecret } from './guard.ts';
export type { ProxiedConnection, ProxyFront, ProxyOptions } from './types.ts';
