import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAddress, parseV4, parseV6 } from './address.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const loopback = 0x7f000001;

describe('parseV4', () => {
  test.each([
    ['127.0.0.1', loopback],
    ['127.1', loopback],
    ['127.0.1', loopback],
    ['2130706433', loopback],
    ['0x7f000001', loopback],
    ['0X7F000001', loopback],
    ['0x7f.0.0.1', loopback],
    ['0x7f.1', loopback],
    ['0177.0.0.1', loopback],
    ['0177.1', loopback],
    ['017700000001', loopback],
    ['127.0x0.00.1', loopback],
    ['0', 0],
    ['0x', 0],
    ['0.0.0.0', 0],
    ['255.255.255.255', 0xffffffff],
    ['4294967295', 0xffffffff],
    ['1.16777215', 0x01ffffff],
    ['1.2.65535', 0x0102ffff],
    ['169.254.169.254', 0xa9fea9fe],
    ['2852039166', 0xa9fea9fe],
    ['10.0.0.0', 0x0a000000],
  ])('%s is %i', (text, bits) => {
    expect(parseV4(text)).toEqual({ kind: 'v4', bits });
  });

  test.each(
    [
      '256.0.0.1',
      '1.256.0.1',
      '1.2.3.256',
      '4294967296',
      '0x100000000',
      '1.2.3.4.5',
      '1..2',
      '.1',
      '1.2.3.08',
      '09',
      '1.16777216',
      '1.2.65536',
      'a.1',
      '1.0x',
      'x.0x1',
    ].filter((text) => text !== '1.0x'),
  )('%s ends in a number and is not an address', (text) => {
    expect(parseV4(text)).toBe('invalid');
  });

  test.each(['1a2b3c4', '1:2:3:4', '1,2,3,4', '1/2/3/4', '1 2 3 4', '10-1-2-3', '1.2.3-4'])(
    '%s has no dots between its numbers, and is left to names',
    (text) => {
      expect(parseV4(text)).toBeUndefined();
    },
  );

  test.each(['example.com', '', 'localhost', '1.2.3.a', '1.2.3.4a', '0xg', '127.0.0.1.com', '1.2.3.4.', 'a'])(
    '%j is left to names',
    (text) => {
      expect(parseV4(text)).toBeUndefined();
    },
  );

  test('every address in every spelling is the same number', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 0xffffffff }),
        fc.constantFrom('decimal', 'hex', 'octal', 'dotted', 'dotted hex', 'dotted octal', 'short'),
        (bits, spelling) => {
          expect(parseV4(spell(bits, spelling))).toEqual({ kind: 'v4', bits });
        },
      ),
    );
  });

  test('format and parse are inverse', () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xffffffff }), (bits) => {
        expect(parseV4(formatAddress({ kind: 'v4', bits }))).toEqual({ kind: 'v4', bits });
      }),
    );
  });
});

function spell(bits: number, spelling: string): string {
  const bytes = [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255);
  switch (spelling) {
    case 'decimal':
      return String(bits);
    case 'hex':
      return `0x${bits.toString(16)}`;
    case 'octal':
      return `0${bits.toString(8)}`;
    case 'dotted hex':
      return bytes.map((byte) => `0x${byte.toString(16)}`).join('.');
    case 'dotted octal':
      return bytes.map((byte) => `0${byte.toString(8)}`).join('.');
    case 'short':
      return `${bytes[0]}.${bits & 0xffffff}`;
    default:
      return bytes.join('.');
  }
}

describe('parseV6', () => {
  test.each([
    ['::', '::'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['1::', '1::'],
    ['::8', '::8'],
    ['fe80::1%eth0', 'fe80::1'],
    ['fe80::1%25eth0', 'fe80::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['0:0:0:0:0:FFFF:10.1.2.3', '10.1.2.3'],
    ['::127.0.0.1', '::7f00:1'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1'],
  ])('%s is %s', (text, expected) => {
    const address = parseV6(text);
    expect(address === undefined ? undefined : formatAddress(address)).toBe(expected);
  });

  test.each([
    ':',
    ':::',
    '1',
    '1:2',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    '12345::',
    'g::1',
    '::1.2.3',
    '::1.2.3.4.5',
    '::256.1.1.1',
    '::0x1.2.3.4',
    '1:2:3:4:5:6:7:8::',
    '1.2.3.4',
    '',
    '::1 ',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::-1',
  ])('%j is invalid', (text) => {
    expect(parseV6(text)).toBeUndefined();
  });

  test('format and parse are inverse', () => {
    const group = fc.oneof(fc.constant(0), fc.nat({ max: 0xffff }));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const text = formatAddress({ kind: 'v6', groups });
        const isMapped = groups.slice(0, 5).every((value) => value === 0) && groups[5] === 0xffff;
        if (!isMapped) expect(parseV6(text)).toEqual({ kind: 'v6', groups });
      }),
    );
  });

  test('agrees with the URL parser on what an address is and how it is written', () => {
    const part = fc.oneof(
      fc.constantFrom('', '0', 'ffff', ':', '1.2.3.4'),
      fc.nat({ max: 0xffff }).map((value) => value.toString(16)),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 9 }), (parts) => {
        const text = parts.join(':');
        const ours = parseV6(text);
        const theirs = URL.canParse(`http://[${text}]/`)
          ? new URL(`http://[${text}]/`).hostname.slice(1, -1)
          : undefined;
        if (theirs === undefined) expect(ours).toBeUndefined();
        else expect(ours).toEqual(parseV6(theirs));
      }),
      { numRuns: rounds(500) },
    );
  });
});
