/**
 * What may be dialled at all: addresses and names that stand for the host, its network or its cloud are told from those
 * of the internet, and every answer of a name is vetted. Facts with sources, and pure functions over them; only
 * `own-addresses.ts` asks the host. Sockets, look-ups and clocks may not enter.
 */
export type { AddressClass } from './classify-address.ts';
export type { NameClass } from './classify-name.ts';
export { decideUrl, type DecidedUrl } from './decide-url.ts';
export { createOwnAddresses, type OwnAddresses } from './own-addresses.ts';
export { permits } from './permits.ts';
export { refuse } from './refuse.ts';
export { vet, type VetContext } from './vet.ts';
export { vetUnresolved } from './vet-unresolved.ts';
