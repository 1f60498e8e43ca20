import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spelledText } from './testing/documents.ts';
import { isUtf8 } from './testing/reference.ts';
import {
  afterSpace,
  decodeString,
  endOfCharacter,
  endOfNumber,
  endOfString,
  endOfWord,
  notJson,
  notUtf8,
} from './tokens.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

describe('endOfCharacter', () => {
  const edges = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff];
  const leads = Array.from({ length: 0x80 }, (_, index) => index + 0x80);

  test('takes every first byte with every edge of the others as TextDecoder does', () => {
    for (const lead of leads)
      for (const second of edges)
        for (const third of edges)
          for (const fourth of [0x7f, 0x80, 0xbf, 0xc0]) {
            const all = Buffer.from([lead, second, third, fourth]);
            const length = [2, 3, 4].find(
              (length) => isUtf8(all.subarray(0, length)) && isOne(all.subarray(0, length)),
            );
            if (endOfCharacter(all, 0) !== (length ?? notUtf8))
              expect({ all: all.toString('hex'), end: endOfCharacter(all, 0) }).toEqual({
                all: all.toString('hex'),
                end: length ?? notUtf8,
              });
          }
  });

  const isOne = (character: Buffer): boolean => [...character.toString()].length === 1;

  test('takes every character, and none that is cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0x80, max: 0x10ffff }).filter((point) => point < 0xd800 || point > 0xdfff),
        fc.nat(3),
        (point, before) => {
          const all = bytes('x'.repeat(before) + String.fromCodePoint(point));
          expect(endOfCharacter(all, before)).toBe(all.length);
          expect(endOfCharacter(all.subarray(0, -1), before)).toBe(notUtf8);
        },
      ),
      { numRuns: rounds(2000) },
    );
  });
});

describe('endOfString and decodeString', () => {
  test('go from quote to quote, and read the text between', () => {
    fc.assert(
      fc.property(spelledText, fc.string(), fc.string(), ({ spelled, text }, before, after) => {
        const all = bytes(before + spelled + after);
        const start = Buffer.byteLength(before);
        const end = start + Buffer.byteLength(spelled);
        expect(endOfString(all, start)).toBe(end);
        expect(decodeString(all, start, end)).toBe(text);
        for (let cut = start + 1; cut < end; cut += 1) expect(endOfString(all.subarray(0, cut), start)).toBeLessThan(0);
      }),
      { numRuns: rounds(500) },
    );
  });

  test.each(Array.from({ length: 0x80 }, (_, byte) => byte))('byte %i alone and after a backslash', (byte) => {
    const character = String.fromCharCode(byte);
    expect(endOfString(bytes(`"${character}" "`), 0)).toBe(
      character === '"' ? 2 : character === '\\' ? 5 : byte < 0x20 ? notJson : 3,
    );
    expect(endOfString(bytes(`"\\${character}"`), 0)).toBe('"\\/bfnrt'.includes(character) ? 4 : notJson);
    expect(endOfString(bytes(`"\\u00${character}0"`), 0)).toBe(/^[\dA-Fa-f]$/u.test(character) ? 8 : notJson);
  });

  test('invalid UTF-8 differs from invalid JSON', () => {
    expect(endOfString(Buffer.from([0x22, 0xff, 0x22]), 0)).toBe(notUtf8);
    expect(endOfString(Buffer.from([0x22, 0x5c, 0xff, 0x22]), 0)).toBe(notJson);
    expect(endOfString(Buffer.from([0x22, 0x61, 0xc3]), 0)).toBe(notUtf8);
    expect(endOfString(bytes('"'), 0)).toBe(notJson);
  });
});

describe('endOfNumber', () => {
  test('takes the longest beginning that the grammar has, or nothing where a fraction or an exponent has no digit', () => {
    const digits = fc
      .array(fc.constantFrom('0', '1', '9', '-', '+', '.', 'e', 'E'), { maxLength: 8 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(digits, (text) => {
        const longest = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/u.exec(text)?.[0] ?? '';
        const end = endOfNumber(bytes(text), 0);
        expect(end).toBe(longest === '' || isUnfinished(text, longest) ? notJson : longest.length);
      }),
      { numRuns: rounds(3000) },
    );
  });

  /** Whether a fraction or an exponent begins behind the number, and has no digit. */
  const isUnfinished = (text: string, number: string): boolean => {
    const next = text[number.length] ?? '';
    return (next === '.' && !/[.eE]/u.test(number)) || (/^[eE]$/u.test(next) && !/[eE]/u.test(number));
  };

  test('is linear in a number of a megabyte', () => {
    expect(endOfNumber(bytes(`-${'1'.repeat(1_000_000)}.${'0'.repeat(1_000_000)}e-1`), 0)).toBe(2_000_005);
  });
});

test('endOfWord and afterSpace', () => {
  expect(endOfWord(bytes('[true]'), 1, 'true')).toBe(5);
  for (const text of ['tru', 'trux', 'True', '']) expect(endOfWord(bytes(text), 0, 'true')).toBe(notJson);
  expect(afterSpace(bytes(' \t\r\n1'), 0)).toBe(4);
  for (const text of ['\v', '\f', '\u00a0', '\0', '1']) expect(afterSpace(bytes(text), 0)).toBe(0);
  expect(afterSpace(bytes('  '), 1)).toBe(2);
});
