import type { Compression } from './wire-name.ts';
import { readName } from './wire-name.ts';
import { headerLength } from './constants.ts';

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

export interface Question {
  /**
   * Name, type and class as sent: an answer repeats them byte by byte, because clients compare the letter case (draft
   * "0x20").
   */
  readonly wire: Uint8Array;
  readonly name: string;
  readonly type: number;
  readonly class: number;
}

/** A resource record, its data untouched. */
export interface WireRecord {
  readonly owner: string;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  readonly dataStart: number;
  readonly next: number;
}

/** Undefined for what is too short to have a header. */
export function readHeader(packet: Uint8Array): Header | undefined {
  if (packet.length < headerLength) return undefined;
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

/** The question that follows the header. */
export function readQuestion(packet: Uint8Array): Question | undefined {
  const name = readName(packet, headerLength, 'plain');
  if (name === undefined || name.next + 4 > packet.length) return undefined;
  const view = viewOf(packet);
  return {
    wire: packet.subarray(headerLength, name.next + 4),
    name: name.text,
    type: view.getUint16(name.next),
    class: view.getUint16(name.next + 2),
  };
}

export function readRecord(packet: Uint8Array, start: number, compression: Compression): WireRecord | undefined {
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
