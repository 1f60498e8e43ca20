import { normaliseHost } from '../../policy/normalise/host.ts';
import { classInternet, type NameCompression, dnsHeaderLength, readName, types } from './wire-name.ts';

/** The twelve bytes at the start of every message (RFC 1035 §4.1.1). */
export interface Header {
  readonly id: number;
  readonly isResponse: boolean;
  readonly opcode: number;
  readonly isTruncated: boolean;
  readonly recursionDesired: boolean;
  readonly rcode: number;
  readonly questions: number;
  readonly answers: number;
  readonly authorities: number;
  readonly additionals: number;
}

export interface DnsQuestion {
  /**
   * Name, type and class as sent. An answer repeats them byte by byte, because clients compare the letter case (draft
   * "0x20").
   */
  readonly wire: Uint8Array;
  readonly name: string;
  readonly type: number;
  readonly class: number;
}

/** A resource record with its raw data. */
export interface WireRecord {
  readonly owner: string;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  readonly dataStart: number;
  readonly next: number;
}

/** Undefined if the packet is too short for a header. */
export function readHeader(packet: Uint8Array): Header | undefined {
  if (packet.length < dnsHeaderLength) return undefined;
  const view = viewOf(packet);
  const flags = view.getUint16(2);
  return {
    id: view.getUint16(0),
    isResponse: (flags & 0x8000) !== 0,
    opcode: (flags >> 11) & 0xf,
    isTruncated: (flags & 0x0200) !== 0,
    recursionDesired: (flags & 0x0100) !== 0,
    rcode: flags & 0xf,
    questions: view.getUint16(4),
    answers: view.getUint16(6),
    authorities: view.getUint16(8),
    additionals: view.getUint16(10),
  };
}

/** Returns the question after the header. */
export function readDnsQuestion(packet: Uint8Array): DnsQuestion | undefined {
  const name = readName(packet, dnsHeaderLength, 'plain');
  if (name === undefined || name.next + 4 > packet.length) return undefined;
  const view = viewOf(packet);
  return {
    wire: packet.subarray(dnsHeaderLength, name.next + 4),
    name: name.text,
    type: view.getUint16(name.next),
    class: view.getUint16(name.next + 2),
  };
}

export function readWireRecord(
  packet: Uint8Array,
  start: number,
  compression: NameCompression,
): WireRecord | undefined {
  const owner = readName(packet, start, compression);
  if (owner === undefined || owner.next + 10 > packet.length) return undefined;
  const view = viewOf(packet);
  const dataStart = owner.next + 10;
  const next = dataStart + view.getUint16(owner.next + 8);
  if (next > packet.length) return undefined;
  return {
    owner: owner.text,
    type: view.getUint16(owner.next),
    class: view.getUint16(owner.next + 2),
    ttl: view.getUint32(owner.next + 4),
    dataStart,
    next,
  };
}

export function viewOf(packet: Uint8Array): DataView {
  return new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
}

/** A name server's answer, as far as a stub resolver needs it. */
export interface Response {
  readonly id: number;
  readonly rcode: number;
  /** Truncated to fit into a datagram. `records` is then empty. */
  readonly isTruncated: boolean;
  /** Absent in answers of servers that did not understand the question. */
  readonly question?: DnsQuestion;
  /** Addresses and aliases of the answer section, in order. */
  readonly records: readonly ResponseRecord[];
}

export type ResponseRecord =
  | {
      readonly kind: 'address';
      readonly owner: string;
      readonly ttl: number /** Canonical spelling. */;
      readonly address: string;
    }
  | { readonly kind: 'alias'; readonly owner: string; readonly ttl: number; readonly target: string };

/** No honest answer to a question about addresses has more. */
const mostRecords = 512;

/** Undefined if the packet is no response, breaks off, loops or states wrong lengths. Pure, never throws. */
export function decodeResponse(packet: Uint8Array): Response | undefined {
  const header = readHeader(packet);
  if (
    header === undefined ||
    !header.isResponse ||
    header.opcode !== 0 ||
    header.questions > 1 ||
    header.answers > mostRecords
  )
    return undefined;
  const { id, rcode, isTruncated } = header;
  if (header.questions === 0) return rcode === 0 ? undefined : { id, rcode, isTruncated, records: [] };
  const question = readDnsQuestion(packet);
  if (question === undefined) return undefined;
  const records = isTruncated ? [] : readRecords(packet, dnsHeaderLength + question.wire.length, header.answers);
  return records === undefined ? undefined : { id, rcode, isTruncated, question, records };
}

function readRecords(packet: Uint8Array, start: number, count: number): readonly ResponseRecord[] | undefined {
  const records: ResponseRecord[] = [];
  let at = start;
  for (let index = 0; index < count; index += 1) {
    const record = readWireRecord(packet, at, 'compressed');
    if (record === undefined) return undefined;
    const meaning = meaningOf(packet, record);
    if (meaning === 'malformed') return undefined;
    if (meaning !== undefined) records.push(meaning);
    at = record.next;
  }
  return records;
}

function meaningOf(packet: Uint8Array, record: WireRecord): ResponseRecord | 'malformed' | undefined {
  const { owner, ttl, type } = record;
  if (record.class !== classInternet) return undefined;
  if (type === types.CNAME) {
    const target = readName(packet, record.dataStart, 'compressed');
    return target?.next === record.next ? { kind: 'alias', owner, ttl, target: target.text } : 'malformed';
  }
  if (type !== types.A && type !== types.AAAA) return undefined;
  const address = addressOf(packet, record);
  return address === undefined ? 'malformed' : { kind: 'address', owner, ttl, address };
}

/** `::ffff:10.0.0.1` in an AAAA record reaches 10.0.0.1, so it is returned as such. */
function addressOf(packet: Uint8Array, { type, dataStart, next }: WireRecord): string | undefined {
  if (next - dataStart !== (type === types.A ? 4 : 16)) return undefined;
  if (type === types.A) return packet.subarray(dataStart, next).join('.');
  const view = viewOf(packet);
  return normaliseHost(
    Array.from({ length: 8 }, (_, group) => view.getUint16(dataStart + group * 2).toString(16)).join(':'),
  )?.text;
}
