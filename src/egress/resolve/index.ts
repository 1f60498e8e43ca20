/**
 * The stub resolver of the host side: what a name stands for, asked of the hosts file and the configured name servers.
 *
 * It never decides and never vets: whoever calls it has asked the `Authority` first and vets every address after. Search
 * lists may not enter, because the name that was decided has to be the name that is asked for.
 */
export { createResolver, type ResolverOptions } from './resolver.ts';
export type { NameServer } from './resolv-conf.ts';
