import { normaliseHost } from '../../policy/normalise/host.ts';

/** A name from a message. */
export interface WireName {
  /**
   * Lower case, without a trailing dot. The root is ``. Bytes outside host names are written as `\ddd` (RFC 1035 §5.1),
   * so a dot inside a label cannot pass for a separator.
   */
  readonly text: string;
  /** Offset in the message after the name. */
  readonly next: number;
}

/**
 * `plain` is for questions of clients. No name precedes the first one in a message, so it has nothing to point back to.
 */
export type NameCompression = 'compressed' | 'plain';

/** The largest number of labels. */
const mostPointers = 127;

/** Reads the name at `start`. Undefined if it is cut off, too long, loops or uses a reserved label type. */
export function readName(packet: Uint8Array, start: number, compression: NameCompression): WireName | undefined {
  const labels: string[] = [];
  let at = start;
  let next: number | undefined;
  let earliest = start;
  let length = 1;
  let pointers = 0;
  for (;;) {
    const size = packet[at];
    if (size === undefined) return undefined;
    if (size === 0) return { text: labels.join('.'), next: next ?? at + 1 };
    if (size > longestLabel) {
      const target = compression === 'compressed' ? pointerAt(packet, at) : undefined;
      pointers += 1;
      // A pointer has to point back, so pointers cannot loop. A long chain of them would still waste time.
      if (target === undefined || target < dnsHeaderLength || target >= earliest || pointers > mostPointers)
        return undefined;
      next ??= at + 2;
      at = earliest = target;
    } else {
      length += size + 1;
      if (length > longestWireName) return undefined;
      labels.push(labelText(packet, at + 1, at + 1 + size));
      at += size + 1;
    }
  }
}

/**
 * Returns the wire form of a host name (`a.example`, or `` for the root). Undefined if a label or the whole is too long
 * or empty.
 */
export function writeName(name: string): Uint8Array | undefined {
  const labels = name === '' ? [] : name.split('.');
  const wire = Buffer.alloc(name === '' ? 1 : name.length + 2);
  if (wire.length > longestWireName) return undefined;
  let at = 0;
  for (const label of labels) {
    if (label.length === 0 || label.length > longestLabel) return undefined;
    wire[at] = label.length;
    wire.write(label, at + 1, 'latin1');
    at += label.length + 1;
  }
  return wire;
}

function pointerAt(packet: Uint8Array, at: number): number | undefined {
  const high = packet[at] ?? 0;
  const low = packet[at + 1];
  return high < 0xc0 || low === undefined ? undefined : ((high & 0x3f) << 8) | low;
}

function labelText(packet: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at += 1) text += characters[packet[at] ?? 0] ?? '';
  return text;
}

const characters: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte).toLowerCase();
  return byte < 0x80 && /^[a-z0-9_-]$/.test(character) ? character : `\\${String(byte).padStart(3, '0')}`;
});

/** Numbers of the DNS protocol (RFC 1035, 3596, 6891, 9460 and the IANA registry "DNS Parameters"). */

export const dnsHeaderLength = 12;
/** A name with its length bytes and the root (RFC 1035 §3.1). */
const longestWireName = 255;
const longestLabel = 63;
/** Limit of a UDP message if its sender named no size (RFC 1035 §4.2.1). */
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

/** Returns `A`, `TXT` …, or `TYPE1234` for a type without a name here (RFC 3597 §5). */
export function typeName(code: number): string {
  return namesOfTypes.get(code) ?? `TYPE${code}`;
}

/** Returns `SERVFAIL` …, or `RCODE9` for a code without a name here. */
export function rcodeName(code: number): string {
  return namesOfRcodes.get(code) ?? `RCODE${code}`;
}

/**
 * Returns the host behind a name of a message, in the one spelling for policies. Undefined for the root, for names with
 * bytes outside host names, and for addresses (`127.1`, `0x7f000001`). A policy would read such addresses differently
 * from public name servers.
 */
export function hostNameOf(wireText: string): string | undefined {
  const host = normaliseHost(wireText);
  return host === undefined || host.address !== undefined ? undefined : host.text;
}
