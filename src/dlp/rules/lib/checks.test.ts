import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passesVerhoeff } from '../personal/national-ids.ts';
import { isBech32 } from '../private-keys/formats.ts';
import { endsFree, startsFree, hasNear } from './boundaries.ts';
import { crc32InBase62, hasCrc32 } from '../keys/development.ts';
import { isMixed } from '../keys/services.ts';
import { entropyOf, isPlaceholder } from './placeholders.ts';
import { passesLuhn, remainderOf, weightedSum } from './remainders.ts';

const digits = fc.stringMatching(/^\d{2,30}$/u);

/** Changes one digit to another one. */
function withOther(text: string, at: number, by: number): string {
  const place = at % text.length;
  return text.slice(0, place) + String((Number(text[place]) + 1 + (by % 9)) % 10) + text.slice(place + 1);
}

describe('CRC-32', () => {
  test('in base62 ends tokens', () => {
    // The example of a token that GitHub has published, behind its prefix.
    expect(crc32InBase62('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ')).toBe('0mLq17');
    expect(hasCrc32('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17')).toBe(true);
    expect(hasCrc32('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18')).toBe(false);
    expect(crc32InBase62('')).toBe('000000');
  });
});

describe('check digits', () => {
  const withLuhn = digits.map((start) => start + ([...'0123456789'].find((last) => passesLuhn(start + last)) ?? ''));

  test('of Luhn: every number has one, and no other digit passes in place of any', () => {
    fc.assert(
      fc.property(withLuhn, fc.nat(), fc.nat(), (number, at, by) => {
        expect(passesLuhn(number)).toBe(true);
        expect(passesLuhn(withOther(number, at, by))).toBe(false);
      }),
    );
    expect(passesLuhn('79927398713')).toBe(true);
    expect(passesLuhn('0')).toBe(false);
    expect(passesLuhn('')).toBe(false);
  });

  test('of Verhoeff: no other digit passes, and no two neighbours may be swapped', () => {
    const withVerhoeff = digits.map(
      (start) => start + ([...'0123456789'].find((last) => passesVerhoeff(start + last)) ?? ''),
    );
    fc.assert(
      fc.property(withVerhoeff, fc.nat(), fc.nat(), (number, at, by) => {
        expect(passesVerhoeff(number)).toBe(true);
        expect(passesVerhoeff(withOther(number, at, by))).toBe(false);
        const place = at % (number.length - 1);
        const swapped =
          number.slice(0, place) + (number[place + 1] ?? '') + (number[place] ?? '') + number.slice(place + 2);
        expect(passesVerhoeff(swapped)).toBe(number[place] === number[place + 1]);
      }),
    );
    expect(passesVerhoeff('2363')).toBe(true);
    expect(passesVerhoeff('2364')).toBe(false);
  });

  test('remainders are those of whole numbers', () => {
    fc.assert(
      fc.property(digits, fc.integer({ min: 2, max: 97 }), (number, divisor) => {
        expect(remainderOf(number, divisor)).toBe(Number(BigInt(number) % BigInt(divisor)));
      }),
    );
    expect(remainderOf('A1', 97)).toBe(101 % 97);
    expect(weightedSum('123', [3, 2, 1])).toBe(10);
  });
});

describe('bech32', () => {
  test.each([
    'a12uel5l',
    'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw',
    'split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w',
  ])('%s of BIP 173 is one', (text) => {
    expect(isBech32(text)).toBe(true);
    expect(isBech32(text.replace(/.$/u, (last) => (last === 'q' ? 'p' : 'q')))).toBe(false);
  });

  test.each(['', '1', 'a1', 'abc', 'a1bbbbbb', '1qpzry9x8g'])('%j is invalid', (text) => {
    expect(isBech32(text)).toBe(false);
  });
});

describe('a value', () => {
  test.each([
    ['', 0],
    ['n: ', 3],
    ['"', 1],
    ['=', 1],
    ['\\n', 2],
    ['\\u003d', 6],
    ['%3D', 3],
    ['-', 1],
    ['\n-', 2],
    ['é', 1],
  ])('begins freely behind %j', (before, at) => {
    expect(startsFree(`${before}key`, at)).toBe(true);
  });

  test.each(['x', 'n', '_', '9', 'a-', '--', 'u003d', '3D', '%zD', '\\q'])('goes on from %j', (before) => {
    expect(startsFree(`${before}key`, before.length)).toBe(false);
  });

  test.each([
    ['', true],
    [' ', true],
    ['"', true],
    ['\\n', true],
    ['-', true],
    ['a', false],
    ['_', false],
    ['0', false],
  ])('before %j ends freely: %j', (after, isFree) => {
    expect(endsFree(`key${after}`, 3)).toBe(isFree);
  });

  test.each([
    'xxxxxxxxxxxxxxxxxxxx',
    'your-key-goes-in-here',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    '0123456789abcdef0123456789abcdef',
    'aaaaaaaaaaaaaaaabbbb',
    'AKIAIOSFODNN7EXAMPLE',
    'abababababababababab',
    'a1b2c3a1b2c3a1b2c3a1b2c3',
    'defghijklmnopqrstuvw',
    '',
  ])('%j is a placeholder', (value) => {
    expect(isPlaceholder(value)).toBe(true);
  });

  test.each(['zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ', '8f14e45fceea167a5a36dedd4bea2543'])('%j is not one', (value) => {
    expect(isPlaceholder(value)).toBe(false);
  });

  test('has an entropy between none and that of its alphabet', () => {
    expect([entropyOf(''), entropyOf('aaaa'), entropyOf('abab'), entropyOf('abcd')]).toEqual([0, 0, 1, 2]);
  });

  test('is mixed where it has digits and both cases', () => {
    expect(['aB1', 'ab1', 'AB1', 'aBc'].map(isMixed)).toEqual([true, false, false, false]);
  });

  test.each([
    ['Card number: 4', true],
    [`card${' '.repeat(60)}4`, true],
    [`card${' '.repeat(61)}4`, false],
    [`4 card`, true],
    [`4${' '.repeat(29)}card`, false],
    ['discard 4', false],
  ])('has a word near it: %j', (text, isNear) => {
    const start = text.indexOf('4');
    expect(hasNear(text, { start, end: start + 1 }, /\bcard\b/u)).toBe(isNear);
  });
});
