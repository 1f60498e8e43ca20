import { dnsHeaderLength, type Rcode, rcodes, types } from './wire-name.ts';
import { type Header, type DnsQuestion, readHeader, readDnsQuestion, readWireRecord } from './message.ts';

/** Header fields of the query that every answer repeats. */
export type QueryHeader = Pick<Header, 'id' | 'opcode' | 'recursionDesired'>;

export interface Query {
  readonly header: QueryHeader;
  readonly question: DnsQuestion;
  /** Present if the client uses EDNS (RFC 6891). The answer then has to use EDNS too. */
  readonly edns?: Edns;
}

export interface Edns {
  /** Bytes that the client accepts over UDP. */
  readonly udpSize: number;
  readonly version: number;
}

export type DecodedQuery =
  | { readonly kind: 'query'; readonly query: Query }
  /** Not a supported query, but one that can be answered with an error. */
  | { readonly kind: 'malformed'; readonly header: QueryHeader; readonly rcode: Rcode }
  /** An answer could start an endless exchange between two servers, or the packet has no ID to answer to. */
  | { readonly kind: 'dropped' };

/** A name takes up to 255 bytes, and an OPT record adds its options. One question needs no more. */
export const longestQuery = 4096;
const mostAdditionals = 4;
const opcodeQuery = 0;

/** Decodes a client's packet. Pure, never throws, and takes time linear in the packet. */
export function decodeQuery(packet: Uint8Array): DecodedQuery {
  const header = readHeader(packet);
  if (header === undefined || header.isResponse) return { kind: 'dropped' };
  if (header.opcode !== opcodeQuery) return { kind: 'malformed', header, rcode: rcodes.NOTIMP };
  const query = packet.length <= longestQuery && hasUsualCounts(header) ? readQuery(packet, header) : undefined;
  return query === undefined ? { kind: 'malformed', header, rcode: rcodes.FORMERR } : { kind: 'query', query };
}

function hasUsualCounts({ questions, answers, authorities, additionals }: Header): boolean {
  return questions === 1 && answers === 0 && authorities === 0 && additionals <= mostAdditionals;
}

function readQuery(packet: Uint8Array, header: Header): Query | undefined {
  const question = readDnsQuestion(packet);
  if (question === undefined) return undefined;
  let edns: Edns | undefined;
  let at = dnsHeaderLength + question.wire.length;
  for (let count = 0; count < header.additionals; count += 1) {
    const record = readWireRecord(packet, at, 'compressed');
    if (record === undefined) return undefined;
    if (record.type === types.OPT) {
      if (edns !== undefined || record.owner !== '') return undefined;
      edns = { udpSize: record.class, version: (record.ttl >>> 16) & 0xff };
    }
    at = record.next;
  }
  if (at !== packet.length) return undefined;
  return edns === undefined ? { header, question } : { header, question, edns };
}
