import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Der, der } from './der.ts';

const hex = (value: Der): string => Buffer.from(value).toString('hex');

describe('a value is written', () => {
  test.each<[string, Der, string]>([
    ['zero', der.integer(0), '020100'],
    ['a small number', der.integer(127), '02017f'],
    ['a number whose first bit is set', der.integer(128), '02020080'],
    ['a number of two bytes', der.integer(256), '02020100'],
    ['a number in bytes, with zeros before it', der.integer(Uint8Array.of(0, 0, 0x7f)), '02017f'],
    ['a number in bytes whose first bit is set', der.integer(Uint8Array.of(0xff)), '020200ff'],
    ['no bytes at all, as zero', der.integer(new Uint8Array()), '020100'],
    ['true', der.true(), '0101ff'],
    ['an object identifier', der.oid('1.2.840.113549.1.1.11'), '06092a864886f70d01010b'],
    ['one that starts with 2', der.oid('2.16.840.1.113894.746875.1.1'), '060c6086480186f966adca7b0101'],
    ['octets', der.octets(Uint8Array.of(1, 2)), '04020102'],
    ['bits', der.bits(Uint8Array.of(6), 1), '03020106'],
    ['text', der.string('utf8', 'b\u00fc'), '0c0362c3bc'],
    ['ASCII', der.string('ia5', 'a.b'), '1603612e62'],
    ['UTF-16', der.string('bmp', 'a1'), '1e0400610031'],
    ['a sequence', der.sequence(der.integer(1), der.integer(2)), '3006020101020102'],
    ['nothing in a sequence', der.sequence(), '3000'],
    ['a set, sorted', der.set(der.integer(2), der.integer(1)), '3106020101020102'],
    [
      'a set whose shorter member sorts first',
      der.set(der.octets(Uint8Array.of(9, 9)), der.octets(Uint8Array.of(1))),
      '310704010104020909',
    ],
    ['an explicit tag', der.explicit(3, der.integer(1)), 'a303020101'],
    ['an implicit tag', der.implicit(2, Buffer.from('a')), '820161'],
    [
      'a time before 2050',
      der.time(new Date('2049-12-31T23:59:59.999Z')),
      `170d${Buffer.from('491231235959Z').toString('hex')}`,
    ],
    [
      'a time from 2050 on',
      der.time(new Date('2050-01-01T00:00:00Z')),
      `180f${Buffer.from('20500101000000Z').toString('hex')}`,
    ],
  ])('%s', (_, value, expected) => {
    expect(hex(value)).toBe(expected);
  });

  test.each([
    [0, '0400'],
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [65_535, '0482ffff'],
    [65_536, '0483010000'],
  ])('with a length of %i', (length, header) => {
    const value = der.octets(new Uint8Array(length));
    expect(hex(value.subarray(0, header.length / 2))).toBe(header);
    expect(value.length).toBe(header.length / 2 + length);
  });
});

test('a number survives the round trip', () => {
  fc.assert(
    fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (value) => {
      const [tag, length, ...bytes] = der.integer(value);
      expect(tag).toBe(2);
      expect(length).toBe(bytes.length);
      expect(bytes[0]).toBeLessThan(0x80);
      expect(Number(BigInt(`0x${Buffer.from(bytes).toString('hex')}`))).toBe(value);
    }),
  );
});

test('a set is the same in any order', () => {
  const members = fc.array(fc.uint8Array({ maxLength: 5 }).map(der.octets), { maxLength: 6 });
  fc.assert(
    fc.property(members, (some) => {
      expect(hex(der.set(...some))).toBe(hex(der.set(...some.toReversed())));
    }),
  );
});
