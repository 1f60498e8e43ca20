import { normaliseHost } from '../../policy/normalise/host.ts';
import type { Query, QueryHeader } from './decode-query.ts';
import { viewOf } from './message.ts';
import { classInternet, ednsUdpSize, dnsHeaderLength, type Rcode, rcodes, types, writeName } from './wire-name.ts';

/** A record about the requested name. */
export interface AnswerRecord {
  readonly type: number;
  readonly data: Uint8Array;
}

export interface DnsReply {
  readonly rcode: Rcode;
  readonly answers: readonly AnswerRecord[];
  /** Most bytes of the reply. Records that do not fit are left out, and the reply is marked as truncated. */
  readonly limit: number;
}

/**
 * In seconds. A name may have another address in the next session, so programs in the box should not cache one. For the
 * same reason a negative answer has no SOA record, so it may not be cached either (RFC 2308 §5).
 */
const timeToLive = 1;
const pointerToQuestion = 0xc000 | dnsHeaderLength;
const recordHead = 12;
const optLength = 11;

export function encodeDnsReply({ header, question, edns }: Query, { rcode, answers, limit }: DnsReply): Uint8Array {
  const room = limit - dnsHeaderLength - question.wire.length - (edns === undefined ? 0 : optLength);
  const fitting = fittingRecords(answers, room);
  const size = fitting.reduce((sum, { data }) => sum + recordHead + data.length, 0);
  const packet = Buffer.alloc(limit - room + size);
  writeHeader(packet, {
    header,
    rcode,
    questions: 1,
    answers: fitting.length,
    additionals: edns === undefined ? 0 : 1,
    truncation: fitting.length < answers.length ? 'cut' : 'whole',
  });
  packet.set(question.wire, dnsHeaderLength);
  let at = dnsHeaderLength + question.wire.length;
  for (const record of fitting) at = writeRecord(packet, at, record);
  if (edns !== undefined) writeOpt(packet, at, rcode);
  return packet;
}

/** Answers an unreadable query with the header alone. */
export function encodeFailure(header: QueryHeader, rcode: Rcode): Uint8Array {
  const packet = Buffer.alloc(dnsHeaderLength);
  writeHeader(packet, { header, rcode, questions: 0, answers: 0, additionals: 0, truncation: 'whole' });
  return packet;
}

/** Returns an A or AAAA record. Undefined if the text is not an address. */
export function addressRecord(address: string): AnswerRecord | undefined {
  const parsed = normaliseHost(address)?.address;
  if (parsed === undefined) return undefined;
  const data = new Uint8Array(parsed.kind === 'v4' ? 4 : 16);
  const view = viewOf(data);
  if (parsed.kind === 'v4') view.setUint32(0, parsed.bits);
  else parsed.groups.forEach((group, index) => view.setUint16(index * 2, group));
  return { type: parsed.kind === 'v4' ? types.A : types.AAAA, data };
}

/** Returns a PTR record. Undefined if the text is not a name. */
export function pointerRecord(name: string): AnswerRecord | undefined {
  const data = writeName(name);
  return data === undefined ? undefined : { type: types.PTR, data };
}

function fittingRecords(answers: readonly AnswerRecord[], room: number): readonly AnswerRecord[] {
  let used = 0;
  const end = answers.findIndex(({ data }) => (used += recordHead + data.length) > room);
  return end === -1 ? answers : answers.slice(0, end);
}

interface ReplyHeader {
  readonly header: QueryHeader;
  readonly rcode: Rcode;
  readonly questions: number;
  readonly answers: number;
  readonly additionals: number;
  readonly truncation: 'cut' | 'whole';
}

/**
 * Recursion is always `available`. Without that bit, glibc and Go take an empty answer for a broken server and ask
 * again.
 */
function writeHeader(
  packet: Buffer,
  { header, rcode, questions, answers, additionals, truncation }: ReplyHeader,
): void {
  const flags =
    0x8080 |
    (header.opcode << 11) |
    (truncation === 'cut' ? 0x0200 : 0) |
    (header.recursionDesired ? 0x0100 : 0) |
    (rcode & 0xf);
  packet.writeUInt16BE(header.id, 0);
  packet.writeUInt16BE(flags, 2);
  packet.writeUInt16BE(questions, 4);
  packet.writeUInt16BE(answers, 6);
  packet.writeUInt16BE(additionals, 10);
}

function writeRecord(packet: Buffer, start: number, { type, data }: AnswerRecord): number {
  packet.writeUInt16BE(pointerToQuestion, start);
  packet.writeUInt16BE(type, start + 2);
  packet.writeUInt16BE(classInternet, start + 4);
  packet.writeUInt32BE(timeToLive, start + 6);
  packet.writeUInt16BE(data.length, start + 10);
  packet.set(data, start + recordHead);
  return start + recordHead + data.length;
}

/** The upper bits of BADVERS go here (RFC 6891 §6.1.3). */
function writeOpt(packet: Buffer, start: number, rcode: Rcode): void {
  packet.writeUInt16BE(types.OPT, start + 1);
  packet.writeUInt16BE(ednsUdpSize, start + 3);
  packet.writeUInt8(rcode === rcodes.BADVERS ? rcode >> 4 : 0, start + 5);
}
