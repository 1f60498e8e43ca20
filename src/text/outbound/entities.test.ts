import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeReference, decodeReferences } from './entities.ts';

/** As the named character references of HTML give them: every name of a character that a URL or the syntax around one has. */
describe('names', () => {
  test.each([
    ['&', 'amp AMP'],
    ['<', 'lt LT'],
    ['>', 'gt GT'],
    ['"', 'quot QUOT'],
    ["'", 'apos'],
    ['\u00a0', 'nbsp'],
    [':', 'colon'],
    ['/', 'sol'],
    ['\\', 'bsol'],
    ['.', 'period'],
    ['@', 'commat'],
    ['%', 'percnt'],
    ['#', 'num'],
    ['?', 'quest'],
    ['=', 'equals'],
    ['\t', 'Tab'],
    ['\n', 'NewLine'],
    ['(', 'lpar'],
    [')', 'rpar'],
    ['[', 'lsqb lbrack'],
    [']', 'rsqb rbrack'],
    ['{', 'lcub lbrace'],
    ['}', 'rcub rbrace'],
    ['!', 'excl'],
    ['`', 'grave DiacriticalGrave'],
    ['_', 'lowbar UnderBar'],
    ['+', 'plus'],
    [',', 'comma'],
    [';', 'semi'],
    ['$', 'dollar'],
    ['*', 'ast midast'],
    ['|', 'vert VerticalLine verbar'],
    ['^', 'Hat'],
    ['\u00ad', 'shy'],
    ['\u200b', 'ZeroWidthSpace'],
  ])('%j is %s', (character, names) => {
    for (const name of names.split(' ')) {
      expect(decodeReference(`&${name};`)).toBe(character);
      expect(decodeReferences(`x&${name};y&${name} z`)).toBe(`x${character}y${character} z`);
    }
  });

  test.each(['&copy;', '&COLON;', '&toString;', '&constructor;', '&', '&;', '&#;', '&#x;', '&a'])('%s stays', (text) => {
    expect(decodeReferences(`x${text}y`)).toBe(`x${text}y`);
  });
});

describe('numbers', () => {
  test.each([
    ['&#58;', ':'],
    ['&#58', ':'],
    ['&#0058;', ':'],
    ['&#x3a;', ':'],
    ['&#X3A;', ':'],
    ['&#x00003a;', ':'],
    ['&#128512;', '😀'],
    ['&#x1f600;', '😀'],
    ['&#x10ffff;', '\u{10ffff}'],
    ['&#x110000;', '\ufffd'],
    ['&#0;', '\ufffd'],
    ['&#1;', '\u0001'],
    ['&#99999999;', '\ufffd'],
    ['&#999999999;', '\ufffd9;'],
    ['&#58;&#47;', ':/'],
    ['&#583', '\u0247'],
  ])('%s is %j', (text, decoded) => {
    expect(decodeReferences(text)).toBe(decoded);
  });

  test('any character in both ways', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0x10ffff }), (code) => {
        expect(decodeReferences(`&#${code};`)).toBe(String.fromCodePoint(code));
        expect(decodeReferences(`&#x${code.toString(16)};`)).toBe(String.fromCodePoint(code));
      }),
    );
  });

  test('one pass: what a reference gives is not read again', () => {
    expect(decodeReferences('&amp;#58;')).toBe('&#58;');
  });
});
