import { normaliseHost } from '../../policy/index.ts';
import { classInternet, headerLength, types } from './constants.ts';
import { type Question, readHeader, readQuestion, readRecord, viewOf, type WireRecord } from './message.ts';
import { readName } from './wire-name.ts';

/** An answer of a name server, as far as a stub resolver cares. */
export interface Response {
  readonly id: number;
  readonly rcode: number;
  /** Cut to fit into a datagram; `records` is empty then. */
  readonly isTruncated: boolean;
  /** Absent in the answers of servers that did not understand the question. */
  readonly question?: Question;
  /** What the answer section says about addresses and aliases, in its order. */
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

/** Undefined for what is no response, or breaks off, loops or lies about its lengths. Pure, never throws. */
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
  const question = readQuestion(packet);
  if (question === undefined) return undefined;
  const records = isTruncated ? [] : readRecords(packet, headerLength + question.wire.length, header.answers);
  return records === undefined ? undefined : { id, rcode, isTruncated, question, records };
}

function readRecords(packet: Uint8Array, start: number, count: number): readonly ResponseRecord[] | undefined {
  const records: ResponseRecord[] = [];
  let at = start;
  for (let index = 0; index < count; index += 1) {
    const record = readRecord(packet, at, 'compressed');
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

/** `::ffff:10.0.0.1` in an AAAA record reaches 10.0.0.1, and is called so. */
function addressOf(packet: Uint8Array, { type, dataStart, next }: WireRecord): string | undefined {
  if (next - dataStart !== (type === types.A ? 4 : 16)) return undefined;
  if (type === types.A) return packet.subarray(dataStart, next).join('.');
  const view = viewOf(packet);
  return normaliseHost(
    Array.from({ length: 8 }, (_, group) => view.getUint16(dataStart + group * 2).toString(16)).join(':'),
  )?.text;
}
