import { normaliseHost } from '../../policy/index.ts';

/** Numbers of the DNS protocol (RFC 1035, 3596, 6891, 9460 and the IANA registry "DNS Parameters"). */

export const headerLength = 12;
/** A name with its length bytes and the root (RFC 1035 §3.1). */
export const longestWireName = 255;
export const longestLabel = 63;
/** What a message over UDP may have when its sender named no size (RFC 1035 §4.2.1). */
export const plainUdpSize = 512;
/** Fits every path without fragments (DNS flag day 2020). */
export const ednsUdpSize = 1232;
export const classInternet = 1;

export const types = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  NULL: 10,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  OPT: 41,
  DS: 43,
  DNSKEY: 48,
  SVCB: 64,
  HTTPS: 65,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
  CAA: 257,
} as const;

export const rcodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5, BADVERS: 16 } as const;

export type Rcode = (typeof rcodes)[keyof typeof rcodes];

const namesOfTypes: ReadonlyMap<number, string> = new Map(Object.entries(types).map(([name, code]) => [code, name]));
const namesOfRcodes: ReadonlyMap<number, string> = new Map(Object.entries(rcodes).map(([name, code]) => [code, name]));

/** `A`, `TXT` …, and `TYPE1234` for one without a name here (RFC 3597 §5). */
export function typeName(code: number): string {
  return namesOfTypes.get(code) ?? `TYPE${code}`;
}

/** `SERVFAIL` …, and `RCODE9` for one without a name here. */
export function rcodeName(code: number): string {
  return namesOfRcodes.get(code) ?? `RCODE${code}`;
}

/**
 * The host that a name of a message means, in the one spelling that policies are asked with; undefined for the root,
 * for names with bytes that no host name has, and for those that are addresses (`127.1`, `0x7f000001`): a policy would
 * read them as something that the name servers of the world do not.
 */
export function hostNameOf(wireText: string): string | undefined {
  const host = normaliseHost(wireText);
  return host === undefined || host.address !== undefined ? undefined : host.text;
}
