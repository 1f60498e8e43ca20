import * as fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { printable } from './describe-request.ts';
import { tomlText } from './toml-text.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

describe('printable', () => {
  test.each([
    ['plain', 'plain'],
    ['\u00fcber \u6587\u5b57', '\u00fcber \u6587\u5b57'],
    ['a\nb', 'a\\u{a}b'],
    ['a\rb\tc', 'a\\u{d}b\\u{9}c'],
    ['\u001b[31m', '\\u{1b}[31m'],
    ['\u009b31m', '\\u{9b}31m'],
    ['\u202e', '\\u{202e}'],
    ['\u200b', '\\u{200b}'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\u2028', '\\u{2028}'],
    ['\ud800', '\\u{d800}'],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test('is one line that a terminal shows as it is, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u);
      }),
    );
  });

  test('ends in time', () => {
    expect(printable('x'.repeat(1_000_000)).length).toBeLessThan(400);
  });
});

describe('tomlText', () => {
  test.each([
    ['plain', '"plain"'],
    ['/a b/c', '"/a b/c"'],
    ['a"b', '"a\\"b"'],
    ['a\\b', "'a\\b'"],
    ["a\\'b", '"a\\\\\'b"'],
    ['a\nb', '"a\\U0000000ab"'],
    ['\u202e', '"\\U0000202e"'],
  ])('%j is %s', (text, expected) => {
    expect(tomlText(text)).toBe(expected);
  });

  test('is read back as the same text, and shows no invisible character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite' }), (text) => {
        const source = tomlText(text);
        expect(parse(`x = ${source}`)['x']).toBe(text);
        expect(source).toMatch(/^[^\p{Cc}\p{Cf}]*$/u);
      }),
      { numRuns: rounds(1000) },
    );
  });
});
