import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visibleName, visibleText } from './visible-text.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

describe('visibleText', () => {
  test.each([
    [Buffer.from('plain text\twith a tab'), 'plain text\twith a tab'],
    [Buffer.from('Grüße, 日本語, 👍🏽'), 'Grüße, 日本語, 👍🏽'],
    [Buffer.from('\u001B[2Jgone'), String.raw`\u{1b}[2Jgone`],
    [Buffer.from('\u009B31m'), String.raw`\u{9b}31m`],
    [Buffer.from('a\r\nb'), String.raw`a\u{d}\u{a}b`],
    [Buffer.from('txt.\u202Eexe'), String.raw`txt.\u{202e}exe`],
    [Buffer.from('\u{E0041}hidden'), String.raw`\u{e0041}hidden`],
    [Buffer.from([0x61, 0xff, 0xc3, 0xa9, 0xe2, 0x82]), String.raw`a\xffé\xe2\x82`],
    [Buffer.from([0xed, 0xa0, 0x80]), String.raw`\xed\xa0\x80`],
    [Buffer.from([0x80, 0x1b, 0x5b]), String.raw`\x80\u{1b}[`],
    [Buffer.from('a\u3164\u2800b\u{E0100}'), String.raw`a\u{3164}\u{2800}b\u{e0100}`],
    [Buffer.from('👩‍👩‍👧 ❤️'), '👩‍👩‍👧 ❤️'],
    [Buffer.from(String.raw`C:\temp`), String.raw`C:\temp`],
  ])('%j', (bytes, expected) => {
    expect(visibleText(bytes)).toBe(expected);
  });

  test('leaves nothing that a terminal obeys, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        (bytes) => !/(?!\t)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(visibleText(Buffer.from(bytes))),
      ),
      { numRuns: rounds(2000) },
    );
  });
});

describe('visibleName', () => {
  test('shows two names alike only when they are one', () => {
    const byte = fc.oneof(
      fc.constantFrom(...Buffer.from('\\u{1b}\\xff\u001B\t\n')),
      fc.constantFrom(0xff, 0xc3, 0xa9),
      fc.nat(255),
    );
    const name = fc.array(byte, { maxLength: 8 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(name, name, (a, b) => a.equals(b) === (visibleName(a) === visibleName(b))),
      { numRuns: rounds(5000) },
    );
    expect(visibleName(Buffer.from(String.raw`\u{1b}`))).not.toBe(visibleName(Buffer.from('\u001B')));
    expect(visibleName(Buffer.from([0xff, 0xe3, 0x85, 0xa4]))).toBe(String.raw`\x{ff}\u{3164}`);
    expect(visibleName(Buffer.from('a\tb\\'))).toBe(String.raw`a\u{9}b\\`);
  });
});
