import { describe, expect, test } from 'vitest';
import { type Rcode, rcodes, rcodeName, typeName, types } from './wire-name.ts';
import { decodeQuery, type Query } from './decode-query.ts';
import {
  addressRecord,
  type AnswerRecord,
  encodeFailure,
  encodeDnsReply,
  pointerRecord,
  type DnsReply,
} from './encode-reply.ts';
import {
  ipv4,
  labels,
  optRecord,
  queryPacket,
  recordBytes,
  responsePacket,
  wireName,
  words,
} from './testing/packets.ts';

function queryOf(packet: Buffer): Query {
  const decoded = decodeQuery(packet);
  if (decoded.kind !== 'query') throw new Error(decoded.kind);
  return decoded.query;
}

const withEdns = queryPacket({ counts: [1, 0, 0, 1], tail: optRecord({ size: 4096, data: Buffer.alloc(12) }) });
const answer = (address: string): AnswerRecord => addressRecord(address) ?? expect.fail(address);
const encode = (packet: Buffer, rcode: Rcode, answers: readonly AnswerRecord[] = []): Buffer =>
  encodeWithin(512, packet, { rcode, answers });
const encodeWithin = (limit: number, packet: Buffer, reply: Omit<DnsReply, 'limit'>): Buffer =>
  Buffer.from(encodeDnsReply(queryOf(packet), { ...reply, limit }));

describe('a reply', () => {
  test('repeats id and question with the case of its letters', () => {
    const name = wireName('eXAMPLE.cOm');
    expect(encode(queryPacket({ name }), rcodes.NXDOMAIN)).toEqual(responsePacket({ name, rcode: 3 }));
  });

  test('has addresses that live for one second', () => {
    expect(encode(queryPacket(), 0, [answer('198.18.0.2')])).toEqual(
      responsePacket({ records: [recordBytes({ type: 1, ttl: 1, data: ipv4('198.18.0.2') })] }),
    );
    const data = words(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);
    expect(encode(queryPacket({ type: 28 }), 0, [answer('2001:db8::1')])).toEqual(
      responsePacket({ type: 28, records: [recordBytes({ type: 28, ttl: 1, data })] }),
    );
  });

  test('has names', () => {
    const data = labels('a', 'test');
    expect(encode(queryPacket({ type: 12 }), 0, [pointerRecord('a.test') ?? expect.fail()])).toEqual(
      responsePacket({ type: 12, records: [recordBytes({ type: 12, ttl: 1, data })] }),
    );
  });

  test('repeats the request for recursion only if the query has it', () => {
    expect(encode(queryPacket({ flags: 0 }), 0)).toEqual(responsePacket({ flags: 0x8080 }));
  });

  test('uses EDNS only for clients that use it', () => {
    expect(encode(withEdns, 0)).toEqual(
      responsePacket({ counts: [1, 0, 0, 1], tail: optRecord(), records: [optRecord()] }),
    );
  });

  test('gives BADVERS in two places', () => {
    const opt = recordBytes({ owner: Buffer.of(0), type: 41, class: 1232, ttl: 0x0100_0000 });
    expect(encode(withEdns, rcodes.BADVERS)).toEqual(responsePacket({ counts: [1, 0, 0, 1], records: [opt] }));
  });

  test('that does not fit is cut between two records, and marked', () => {
    const many = Array.from({ length: 16 }, (_, index) => answer(`2001:db8::${index + 1}`));
    expect(encodeWithin(477, queryPacket({ type: 28 }), { rcode: 0, answers: many }).readUInt16BE(2)).toBe(0x8180);
    const cut = encodeWithin(476, queryPacket({ type: 28 }), { rcode: 0, answers: many });
    expect([cut.length, cut.readUInt16BE(2), cut.readUInt16BE(6)]).toEqual([477 - 28, 0x8380, 15]);
    const cutWithOpt = encodeWithin(476, withEdns, { rcode: 0, answers: many });
    expect([cutWithOpt.length, cutWithOpt.readUInt16BE(6), cutWithOpt.readUInt16BE(10)]).toEqual([
      477 - 28 + 11,
      15,
      1,
    ]);
  });

  test('to an unreadable query is a header', () => {
    expect(Buffer.from(encodeFailure({ id: 0x1234, opcode: 5, recursionDesired: true }, rcodes.NOTIMP))).toEqual(
      Buffer.concat([words(0x1234, 0xa984, 0, 0, 0, 0)]),
    );
  });
});

test.each(['example.com', '', '1.2.3.4.5'])('%j is not an address', (text) => {
  expect(addressRecord(text)).toBeUndefined();
});

test('types and codes have their names', () => {
  expect([typeName(types.A), typeName(types.HTTPS), typeName(255), typeName(1234)]).toEqual([
    'A',
    'HTTPS',
    'ANY',
    'TYPE1234',
  ]);
  expect([rcodeName(2), rcodeName(9)]).toEqual(['SERVFAIL', 'RCODE9']);
  expect(pointerRecord('a'.repeat(64))).toBeUndefined();
});
