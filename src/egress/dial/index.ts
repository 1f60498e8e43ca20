/**
 * The only place that opens connections to the world. It connects to vetted addresses and to nothing else, or asks a
 * company's proxy to. Names are not looked up here (but that of such a proxy, which the host's user chose), nothing is
 * decided here, and what goes over a connection is not known here.
 */
export { dial, type DialOptions } from './dial.ts';
export type { ChosenProxy, ProxyFor, ProxySettings } from './proxy-settings.ts';
export type { DiallerContext, DiallerOptions, UpstreamDialler } from './upstream-proxy.ts';
