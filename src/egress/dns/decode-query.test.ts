import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rcodes } from './wire-name.ts';
import { decodeQuery, longestQuery } from './decode-query.ts';
import { labels, optRecord, queryPacket, recordBytes, wireName, words } from './testing/packets.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const malformed = (rcode: number): object => ({ kind: 'malformed', rcode });

describe('a query', () => {
  test('is one question', () => {
    const packet = queryPacket({ id: 0xabcd, name: wireName('WWW.Example.com'), type: 28 });
    expect(decodeQuery(packet)).toEqual({
      kind: 'query',
      query: {
        header: expect.objectContaining({ id: 0xabcd, opcode: 0, recursionDesired: true }),
        question: { wire: packet.subarray(12), name: 'www.example.com', type: 28, class: 1 },
      },
    });
  });

  test('may lack recursion, and may have bits without meaning in a query', () => {
    expect(decodeQuery(queryPacket({ flags: 0 }))).toMatchObject({
      kind: 'query',
      query: { header: { recursionDesired: false } },
    });
    expect(decodeQuery(queryPacket({ flags: 0x07bf }))).toMatchObject({ kind: 'query' });
  });

  test.each([
    { what: 'none', tail: Buffer.alloc(0), additionals: 0, edns: undefined },
    { what: 'one', tail: optRecord(), additionals: 1, edns: { udpSize: 1232, version: 0 } },
    {
      what: 'one with options',
      tail: optRecord({ data: Buffer.concat([words(10, 8), Buffer.alloc(8, 7)]) }),
      additionals: 1,
      edns: { udpSize: 1232, version: 0 },
    },
    {
      what: 'one of another version',
      tail: optRecord({ version: 1, size: 4096 }),
      additionals: 1,
      edns: { udpSize: 4096, version: 1 },
    },
    {
      what: 'one that pads',
      tail: optRecord({ data: Buffer.concat([words(12, 400), Buffer.alloc(400)]) }),
      additionals: 1,
      edns: { udpSize: 1232, version: 0 },
    },
    {
      what: 'one after a signature',
      tail: Buffer.concat([
        recordBytes({ owner: Buffer.of(0), type: 250, class: 255, data: Buffer.alloc(16) }),
        optRecord(),
      ]),
      additionals: 2,
      edns: { udpSize: 1232, version: 0 },
    },
  ])('with EDNS: $what', ({ tail, additionals, edns }) => {
    const decoded = decodeQuery(queryPacket({ tail, counts: [1, 0, 0, additionals] }));
    expect(decoded.kind).toBe('query');
    expect(decoded.kind === 'query' ? decoded.query.edns : null).toEqual(edns);
  });
});

describe('dropped without an answer', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['eleven bytes', queryPacket().subarray(0, 11)],
    ['a response', queryPacket({ flags: 0x8180 })],
    ['a response that is malformed too', queryPacket({ flags: 0x8180, counts: [0, 0, 0, 0] })],
    ['a response to an update', queryPacket({ flags: 0xa800 })],
  ])('%s', (_, packet) => {
    expect(decodeQuery(packet)).toEqual({ kind: 'dropped' });
  });
});

describe('FORMERR', () => {
  test.each([
    ['a header alone', queryPacket().subarray(0, 12)],
    ['no question', queryPacket({ counts: [0, 0, 0, 0] })],
    ['two questions', queryPacket({ counts: [2, 0, 0, 0], tail: queryPacket().subarray(12) })],
    ['65,535 questions', queryPacket({ counts: [0xffff, 0, 0, 0] })],
    ['an answer', queryPacket({ counts: [1, 1, 0, 0], tail: recordBytes({ type: 1, data: Buffer.alloc(4) }) })],
    ['an authority', queryPacket({ counts: [1, 0, 1, 0], tail: recordBytes({ type: 6 }) })],
    ['a missing additional record', queryPacket({ counts: [1, 0, 0, 1] })],
    ['fewer records than bytes', queryPacket({ tail: optRecord() })],
    [
      'too many additional records',
      queryPacket({ counts: [1, 0, 0, 5], tail: Buffer.concat(Array<Buffer>(5).fill(recordBytes({ type: 16 }))) }),
    ],
    ['two OPT records', queryPacket({ counts: [1, 0, 0, 2], tail: Buffer.concat([optRecord(), optRecord()]) })],
    ['an OPT record with a name', queryPacket({ counts: [1, 0, 0, 1], tail: optRecord({ owner: wireName('a') }) })],
    ['an OPT record that is cut', queryPacket({ counts: [1, 0, 0, 1], tail: optRecord().subarray(0, 9) })],
    [
      'an OPT record with a wrong length',
      queryPacket({ counts: [1, 0, 0, 1], tail: recordBytes({ owner: Buffer.of(0), type: 41, length: 9 }) }),
    ],
    ['a question without class', queryPacket().subarray(0, -1)],
    ['bytes after the end', queryPacket({ tail: Buffer.of(0) })],
    ['a compressed question', queryPacket({ name: words(0xc00c) })],
    ['a pointer into the header', queryPacket({ name: words(0xc000) })],
    ['a label of 64', queryPacket({ name: Buffer.concat([Buffer.of(64), Buffer.alloc(64, 97), Buffer.of(0)]) })],
    ['a name of 300 bytes', queryPacket({ name: labels(...Array<string>(5).fill('a'.repeat(59))) })],
    [
      'more than 4,096 bytes',
      queryPacket({ counts: [1, 0, 0, 1], tail: optRecord({ data: Buffer.alloc(longestQuery) }) }),
    ],
  ])('%s', (_, packet) => {
    expect(decodeQuery(packet)).toMatchObject({ ...malformed(rcodes.FORMERR), header: { id: 0x1234 } });
  });
});

test.each([1, 2, 3, 4, 5, 6, 15])('NOTIMP: opcode %d', (opcode) => {
  expect(decodeQuery(queryPacket({ flags: opcode << 11 }))).toMatchObject({
    ...malformed(rcodes.NOTIMP),
    header: { opcode },
  });
});

test('any bytes get an answer, or need none', () => {
  const anything = fc.uint8Array({ maxLength: 700 });
  const almost = fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(80)).map(([noise, at]) => {
    const packet = queryPacket({ counts: [1, 0, 0, 1], tail: optRecord({ data: Buffer.alloc(20) }) });
    packet.set(noise.subarray(0, Math.max(0, packet.length - at)), Math.min(at, packet.length));
    return Uint8Array.from(packet);
  });
  fc.assert(
    fc.property(fc.oneof(anything, almost), (bytes) => {
      const decoded = decodeQuery(bytes);
      if (decoded.kind === 'query') expect(decoded.query.question.wire.length).toBeLessThanOrEqual(259);
      if (bytes.length < 12) expect(decoded.kind).toBe('dropped');
    }),
    { numRuns: rounds(2000) },
  );
});
