import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readHeader, readQuestion, readRecord } from './message.ts';
import { labels, queryPacket, recordBytes, wireName, words } from './testing/packets.ts';

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

  test('is read where its bytes lie, also inside a larger buffer', () => {
    const pool = Buffer.concat([Buffer.alloc(5, 0xff), queryPacket({ id: 7 }), Buffer.alloc(5, 0xff)]);
    const packet = pool.subarray(5, -5);
    expect(readHeader(packet)).toMatchObject({ id: 7, questions: 1, additionals: 0 });
    expect(readQuestion(packet)).toMatchObject({ name: 'example.com', type: 1, class: 1 });
  });
});

describe('a question', () => {
  test('keeps its bytes as they were sent', () => {
    const packet = queryPacket({ name: wireName('ExAmple.com'), type: 0xfffe, class: 0xfffd });
    expect(readQuestion(packet)).toEqual({
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
    expect(readQuestion(Buffer.concat([Buffer.alloc(12), bytes]))).toBeUndefined();
  });
});

describe('a record', () => {
  const read = (bytes: Buffer): ReturnType<typeof readRecord> =>
    readRecord(Buffer.concat([queryPacket(), bytes]), 29, 'compressed');

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
    ['65,535 bytes that are not there', recordBytes({ type: 1, length: 0xffff, data: Buffer.alloc(100) })],
    ['an owner that points at itself', recordBytes({ owner: words(0xc01d), type: 1 })],
  ])('is not %s', (_, bytes) => {
    expect(read(bytes)).toBeUndefined();
  });
});

test('nothing is read beyond the end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(220), (bytes, start) => {
      const record = readRecord(bytes, start, 'compressed');
      expect(record?.next ?? 0).toBeLessThanOrEqual(bytes.length);
      if (record !== undefined) expect(record.next).toBeGreaterThan(start);
      const question = readQuestion(bytes);
      expect(12 + (question?.wire.length ?? 0)).toBeLessThanOrEqual(Math.max(12, bytes.length));
    }),
    { numRuns: 1000 },
  );
});
