import { EventStreamCodec, HeaderMarshaller, Int64, type MessageHeaders } from '@smithy/core/event-streams';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readHeaders, writeHeaders } from './event-stream-editor.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const codec = new EventStreamCodec(
  (octets) => Buffer.from(octets as Uint8Array).toString(),
  (text) => Buffer.from(text),
);
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('values of headers', () => {
  test.each([
    ['true', '01 61 00', 'true'],
    ['false', '01 61 01', 'false'],
    ['a byte', '01 61 02 ff', '-1'],
    ['a short', '01 61 03 8000', '-32768'],
    ['an integer', '01 61 04 00000100', '256'],
    ['a long', '01 61 05 7fffffffffffffff', '9223372036854775807'],
    ['octets', '01 61 06 0002 ff00', '/wA='],
    ['text', '01 61 07 0002 c3a9', 'é'],
    ['no text', '01 61 07 0000', ''],
    ['a time', '01 61 08 000001991f000000', '1757161717760'],
    ['a UUID', '01 61 09 00112233445566778899aabbccddeeff', '00112233-4455-6677-8899-aabbccddeeff'],
  ])('%s', (_, bytes, value) => {
    expect(readHeaders(hex(bytes))).toEqual({ a: value });
    for (let length = 1; length < hex(bytes).length; length += 1)
      expect(readHeaders(hex(bytes).subarray(0, length))).toBeUndefined();
  });

  test('are those that the codec of AWS writes', () => {
    const value = fc.oneof(
      fc.boolean().map((each) => [{ type: 'boolean', value: each }, String(each)] as const),
      fc.integer({ min: -128, max: 127 }).map((each) => [{ type: 'byte', value: each }, String(each)] as const),
      fc.integer({ min: -32_768, max: 32_767 }).map((each) => [{ type: 'short', value: each }, String(each)] as const),
      fc.integer().map((each) => [{ type: 'integer', value: each }, String(each)] as const),
      fc.maxSafeInteger().map((each) => [{ type: 'long', value: Int64.fromNumber(each) }, String(each)] as const),
      fc
        .uint8Array({ maxLength: 20 })
        .map((each) => [{ type: 'binary', value: each }, Buffer.from(each).toString('base64')] as const),
      fc.string({ unit: 'grapheme', maxLength: 20 }).map((each) => [{ type: 'string', value: each }, each] as const),
      fc
        .integer({ min: 0 })
        .map((each) => [{ type: 'timestamp', value: new Date(each * 1000) }, String(each * 1000)] as const),
      fc.uuid().map((each) => [{ type: 'uuid', value: each }, each] as const),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }), value), {
          maxLength: 6,
          selector: ([name]) => name,
        }),
        (headers) => {
          const written = codec.formatHeaders(
            Object.fromEntries(headers.map(([name, [each]]) => [name, each])) as MessageHeaders,
          );
          expect({ ...readHeaders(Buffer.from(written)) }).toEqual(
            Object.fromEntries(headers.map(([name, [, text]]) => [name, text])),
          );
        },
      ),
      { numRuns: rounds(1000) },
    );
  });

  test('have no prototype, whatever they are called', () => {
    const headers = readHeaders(writeHeaders(JSON.parse('{"__proto__":"a","constructor":"b"}')));
    expect(Object.entries(headers ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(readHeaders(Buffer.alloc(0))?.['toString']).toBeUndefined();
  });
});

describe('no headers', () => {
  test.each([
    ['a type that does not exist', '01 61 0a'],
    ['a name that is empty', '00 00'],
    ['a name that is no UTF-8', '01 ff 00'],
    ['text that is no UTF-8', '01 61 07 0001 ff'],
    ['a name that stands there twice', '01 61 00 01 61 01'],
    ['a name longer than the rest', 'ff 61 00'],
    ['a value longer than the rest', '01 61 07 ffff 61'],
    ['one octet too many', '01 61 00 01'],
  ])('%s', (_, bytes) => {
    expect(readHeaders(hex(bytes))).toBeUndefined();
  });

  test('are refused, and AWS reads the accepted ones', () => {
    const marshaller = new HeaderMarshaller(
      (octets) => Buffer.from(octets as Uint8Array).toString(),
      (text) => Buffer.from(text),
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 0, 1, 2, 7, 9, 0x61, 0x62, 0xff), { maxLength: 12 }), (octets) => {
        const headers = readHeaders(Buffer.from(octets));
        if (headers !== undefined)
          expect(Object.keys(marshaller.parse(new DataView(Uint8Array.from(octets).buffer)))).toEqual(
            Object.keys(headers),
          );
      }),
      { numRuns: rounds(5000) },
    );
  });
});

describe('written headers', () => {
  test('are read as they were', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), fc.string({ unit: 'grapheme' })),
        (headers) => {
          expect({ ...readHeaders(writeHeaders(headers)) }).toEqual({ ...headers });
        },
      ),
    );
  });

  test('leave out what there is no room for', () => {
    const kept = { ['n'.repeat(255)]: '', v: 'x'.repeat(32_767) };
    expect({
      ...readHeaders(
        writeHeaders({ ...kept, '': 'a', ['n'.repeat(256)]: 'a', w: 'x'.repeat(32_768), é: 'é'.repeat(16_384) }),
      ),
    }).toEqual(kept);
  });
});
