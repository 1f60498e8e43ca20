import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeQuery } from '../resolve/ask-servers.ts';
import { decodeResponse, readHeader, readDnsQuestion, readWireRecord } from './message.ts';
import { ipv4, labels, queryPacket, recordBytes, responsePacket, wireName, words } from './testing/packets.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

describe('a header', () => {
  test('has its fields in their places', () => {
    expect(readHeader(words(0xabcd, 0x0100, 1, 2, 3, 4))).toEqual({
      id: 0xabcd,
      isResponse: false,
      opcode: 0,
      isTruncated: false,
      recursionDesired: true,
      rcode: 0,
      questions: 1,
      answers: 2,
      authorities: 3,
      additionals: 4,
    });
  });

  test.each([
    [0x8000, { isResponse: true, opcode: 0, isTruncated: false, recursionDesired: false, rcode: 0 }],
    [0x7800, { isResponse: false, opcode: 15, isTruncated: false, recursionDesired: false, rcode: 0 }],
    [0x2800, { isResponse: false, opcode: 5, isTruncated: false, recursionDesired: false, rcode: 0 }],
    [0x0200, { isResponse: false, opcode: 0, isTruncated: true, recursionDesired: false, rcode: 0 }],
    [0x000f, { isResponse: false, opcode: 0, isTruncated: false, recursionDesired: false, rcode: 15 }],
    [0x04f0, { isResponse: false, opcode: 0, isTruncated: false, recursionDesired: false, rcode: 0 }],
    [0xffff, { isResponse: true, opcode: 15, isTruncated: true, recursionDesired: true, rcode: 15 }],
  ])('with flags %d is %j', (flags, expected) => {
    expect(readHeader(words(0, flags, 0, 0, 0, 0))).toMatchObject(expected);
  });

  test.each([0, 1, 11])('has more than %d bytes', (length) => {
    expect(readHeader(Buffer.alloc(length))).toBeUndefined();
  });

  test('is read at its offset, even inside a larger buffer', () => {
    const pool = Buffer.concat([Buffer.alloc(5, 0xff), queryPacket({ id: 7 }), Buffer.alloc(5, 0xff)]);
    const packet = pool.subarray(5, -5);
    expect(readHeader(packet)).toMatchObject({ id: 7, questions: 1, additionals: 0 });
    expect(readDnsQuestion(packet)).toMatchObject({ name: 'example.com', type: 1, class: 1 });
  });
});

describe('a question', () => {
  test('keeps its original bytes', () => {
    const packet = queryPacket({ name: wireName('ExAmple.com'), type: 0xfffe, class: 0xfffd });
    expect(readDnsQuestion(packet)).toEqual({
      wire: packet.subarray(12),
      name: 'example.com',
      type: 0xfffe,
      class: 0xfffd,
    });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a name alone', wireName('example.com')],
    ['a name and a type', Buffer.concat([wireName('example.com'), words(1)])],
    ['half a class', Buffer.concat([wireName('example.com'), words(1), Buffer.of(0)])],
    ['a pointer', words(0xc00c, 1, 1)],
  ])('is not %s', (_, bytes) => {
    expect(readDnsQuestion(Buffer.concat([Buffer.alloc(12), bytes]))).toBeUndefined();
  });
});

describe('a record', () => {
  const read = (bytes: Buffer): ReturnType<typeof readWireRecord> =>
    readWireRecord(Buffer.concat([queryPacket(), bytes]), 29, 'compressed');

  test('has its fields in their places', () => {
    const bytes = recordBytes({ type: 0x1234, class: 0x5678, ttl: 0xfedc_ba98, data: Buffer.alloc(7) });
    expect(read(Buffer.concat([bytes, Buffer.alloc(3)]))).toEqual({
      owner: 'example.com',
      type: 0x1234,
      class: 0x5678,
      ttl: 0xfedc_ba98,
      dataStart: 41,
      next: 48,
    });
  });

  test('may have no data and any owner', () => {
    expect(read(recordBytes({ owner: Buffer.of(0), type: 41 }))).toMatchObject({ owner: '', dataStart: 40, next: 40 });
    expect(read(recordBytes({ owner: labels('a b'), type: 1 }))).toMatchObject({ owner: 'a\\032b' });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['an owner alone', words(0xc00c)],
    ['no length', recordBytes({ type: 1 }).subarray(0, 10)],
    ['half a length', recordBytes({ type: 1 }).subarray(0, 11)],
    ['one byte too few', recordBytes({ type: 1, length: 1 })],
    ['65,535 missing bytes', recordBytes({ type: 1, length: 0xffff, data: Buffer.alloc(100) })],
    ['an owner that points at itself', recordBytes({ owner: words(0xc01d), type: 1 })],
  ])('is not %s', (_, bytes) => {
    expect(read(bytes)).toBeUndefined();
  });
});

test('reading stays inside the message', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(220), (bytes, start) => {
      const record = readWireRecord(bytes, start, 'compressed');
      expect(record?.next ?? 0).toBeLessThanOrEqual(bytes.length);
      if (record !== undefined) expect(record.next).toBeGreaterThan(start);
      const question = readDnsQuestion(bytes);
      expect(12 + (question?.wire.length ?? 0)).toBeLessThanOrEqual(Math.max(12, bytes.length));
    }),
    { numRuns: rounds(1000) },
  );
});

const a = (address: string, parts: object = {}): Buffer => recordBytes({ type: 1, data: ipv4(address), ...parts });
const aaaa = (...groups: readonly number[]): Buffer => recordBytes({ type: 28, data: words(...groups) });
const cname = (target: Buffer, parts: object = {}): Buffer => recordBytes({ type: 5, data: target, ...parts });
const recordsOf = (...records: readonly Buffer[]): unknown => decodeResponse(responsePacket({ records }))?.records;

describe('a response', () => {
  test('repeats the question in its original form', () => {
    const packet = responsePacket({ id: 7, name: wireName('eXaMple.com'), type: 28 });
    expect(decodeResponse(packet)).toEqual({
      id: 7,
      rcode: 0,
      isTruncated: false,
      question: { wire: packet.subarray(12), name: 'example.com', type: 28, class: 1 },
      records: [],
    });
  });

  test('has addresses and aliases, in order', () => {
    expect(
      recordsOf(
        cname(wireName('b.test')),
        a('192.0.2.1', { owner: wireName('B.test'), ttl: 300 }),
        a('192.0.2.2', { owner: words(0xc029) }),
      ),
    ).toEqual([
      { kind: 'alias', owner: 'example.com', ttl: 60, target: 'b.test' },
      { kind: 'address', owner: 'b.test', ttl: 300, address: '192.0.2.1' },
      { kind: 'address', owner: 'b.test', ttl: 60, address: '192.0.2.2' },
    ]);
  });

  test('may point into earlier records', () => {
    expect(recordsOf(cname(Buffer.concat([Buffer.from([3, 99, 100, 110]), words(0xc00c)])))).toEqual([
      { kind: 'alias', owner: 'example.com', ttl: 60, target: 'cdn.example.com' },
    ]);
  });

  test.each([
    [[0x2001, 0xdb8, 0, 0, 0, 0, 0, 1], '2001:db8::1'],
    [[0, 0, 0, 0, 0, 0, 0, 1], '::1'],
    [[0, 0, 0, 0, 0, 0xffff, 0x0a00, 1], '10.0.0.1'],
    [[0, 0, 0, 0, 0, 0xffff, 0xa9fe, 0xa9fe], '169.254.169.254'],
    [[0x64, 0xff9b, 0, 0, 0, 0, 0x7f00, 1], '64:ff9b::7f00:1'],
    [[0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff], 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('names the AAAA address %j in its one spelling', (groups, address) => {
    expect(recordsOf(aaaa(...groups))).toEqual([{ kind: 'address', owner: 'example.com', ttl: 60, address }]);
  });

  test('leaves out other types and classes, and everything after the answers', () => {
    expect(
      recordsOf(
        recordBytes({ type: 46, data: Buffer.alloc(9) }),
        recordBytes({ type: 39, data: labels('x') }),
        a('192.0.2.1', { class: 3 }),
      ),
    ).toEqual([]);
    const packet = responsePacket({ records: [a('192.0.2.1'), Buffer.alloc(3, 0xff)], counts: [1, 1, 9, 9] });
    expect(decodeResponse(packet)?.records).toHaveLength(1);
  });

  test('that was truncated has no records, even if the rest is broken', () => {
    const packet = responsePacket({ flags: 0x8380, counts: [1, 5, 0, 0], records: [a('192.0.2.1'), Buffer.of(1)] });
    expect(decodeResponse(packet)).toMatchObject({ isTruncated: true, records: [] });
  });

  test.each([1, 2, 4, 5, 9])('of failure %d may come without the question', (rcode) => {
    const header = responsePacket({ rcode, counts: [0, 0, 0, 0] }).subarray(0, 12);
    expect(decodeResponse(header)).toEqual({ id: 0x1234, rcode, isTruncated: false, records: [] });
  });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a query', queryPacket()],
  ['another opcode', responsePacket({ flags: 0xa180 })],
  ['two questions', responsePacket({ counts: [2, 0, 0, 0] })],
  ['success without a question', responsePacket({ counts: [0, 0, 0, 0] })],
  ['fewer records than announced', responsePacket({ records: [a('192.0.2.1')], counts: [1, 2, 0, 0] })],
  ['too many records', responsePacket({ records: Array<Buffer>(513).fill(a('192.0.2.1')) })],
  ['an A record of three bytes', responsePacket({ records: [recordBytes({ type: 1, data: Buffer.alloc(3) })] })],
  ['an A record of sixteen bytes', responsePacket({ records: [recordBytes({ type: 1, data: Buffer.alloc(16) })] })],
  ['an AAAA record of four bytes', responsePacket({ records: [recordBytes({ type: 28, data: Buffer.alloc(4) })] })],
  [
    'data beyond the packet',
    responsePacket({ records: [recordBytes({ type: 1, data: Buffer.alloc(4), length: 400 })] }),
  ],
  ['an alias that loops', responsePacket({ records: [recordBytes({ type: 5, data: words(0xc029) })] })],
  [
    'an alias with bytes after it',
    responsePacket({ records: [cname(Buffer.concat([wireName('b.test'), Buffer.of(0)]))] }),
  ],
  [
    'an alias that ends after its data',
    responsePacket({ records: [recordBytes({ type: 5, data: wireName('b.test'), length: 3 }), Buffer.alloc(40)] }),
  ],
  ['an owner that loops', responsePacket({ records: [a('192.0.2.1', { owner: words(0xc01d) })] })],
])('no response: %s', (_, packet) => {
  expect(decodeResponse(packet)).toBeUndefined();
});

test('a query has the form that servers expect', () => {
  expect(encodeQuery({ id: 0x1234, name: 'Example.com', type: 28 })).toEqual(
    queryPacket({ name: wireName('Example.com'), type: 28 }),
  );
  expect(encodeQuery({ id: 1, name: 'a..b', type: 1 })).toBeUndefined();
});

test('for any bytes, addresses are addresses and names are printable', () => {
  const anything = fc.uint8Array({ maxLength: 400 });
  const almost = fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 12 }), fc.nat(140)).map(([noise, at]) => {
    const packet = responsePacket({
      records: [cname(wireName('b.test')), a('192.0.2.1', { owner: words(0xc029) }), aaaa(1, 2, 3, 4, 5, 6, 7, 8)],
    });
    packet.set(noise.subarray(0, Math.max(0, packet.length - at)), Math.min(at, packet.length));
    return Uint8Array.from(packet);
  });
  fc.assert(
    fc.property(fc.oneof(anything, almost), (bytes) => {
      for (const record of decodeResponse(bytes)?.records ?? []) {
        expect(record.owner).toMatch(/^[a-z0-9_.\\-]*$/);
        expect(record.kind === 'alias' ? record.target : record.address).toMatch(/^[a-z0-9_.:\\-]*$/);
      }
    }),
    { numRuns: rounds(2000) },
  );
});
