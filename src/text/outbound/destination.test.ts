import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeReference,
  decodeReferences,
  destinationAt,
  isStrict,
  isStrictRelative,
  strictHref,
} from './destination.ts';

function read(text: string, limit = text.length): readonly [raw: string, decoded: string, end: number] | undefined {
  const found = destinationAt(text, 0, limit);
  return found === undefined ? undefined : [found.raw, found.decoded, found.end];
}

describe('a destination', () => {
  test.each([
    ['/x)', '/x', 2],
    ['/x "t")', '/x', 2],
    [' \t/x)', '/x', 4],
    ['\n/x)', '/x', 3],
    [' \r\n > /x)', '/x', 8],
    ['</x y>)', '/x y', 6],
    ['<>)', '', 2],
    ['/x(y)z)', '/x(y)z', 6],
    ['/x(y(z)))', '/x(y(z))', 8],
    ['/x\\)y)', '/x\\)y', 5],
    ['/x\\(y)', '/x\\(y', 5],
    ['data:image/png;base64,AA==)', 'data:image/png;base64,AA==', 26],
    ['xdata:image/png;base64,AA==)', 'xdata:image/png;base64,AA==', 27],
    ['data:image/png;base64,A/A+)', 'data:image/png;base64,A/A+', 26],
    ['data:image/png;base64,AA==`x`', 'data:image/png;base64,AA==', 26],
    ['/x', '/x', 2],
    ['', '', 0],
    [')', '', 0],
    [' \n\n/x)', '', 2],
  ])('%j is %j', (text, raw, end) => {
    expect(read(text)?.[0]).toBe(raw);
    expect(read(text)?.[2]).toBe(end);
  });

  test.each([
    'a<b)',
    'a>b)',
    'a[b)',
    'a]b)',
    'a`b)',
    'a\u00a0b)',
    'a\u2003b)',
    'a\x7fb)',
    'a\x85b)',
    'a\x9fb)',
    `${'a'.repeat(4096)})`,
    `<${'a'.repeat(4097)}>)`,
  ])('%j has no end', (text) => {
    expect(read(text)).toBeUndefined();
  });

  test('has at most 4095 characters, or 4096 in angle brackets', () => {
    expect(read(`${'a'.repeat(4095)})`)?.[2]).toBe(4095);
    expect(read('a'.repeat(4095))?.[2]).toBe(4095);
    expect(read('a'.repeat(4096))).toBeUndefined();
    expect(read(`<${'a'.repeat(4096)}>)`)?.[2]).toBe(4098);
  });

  test('ends at the limit only if it is already complete: code follows', () => {
    expect(read('/x)`y`', 3)?.[2]).toBe(2);
    expect(read('/xy`y`', 3)).toBeUndefined();
    expect(read('</x>', 3)).toBeUndefined();
    expect(read('data:image/png;base64,AA', 20)).toBeUndefined();
    expect(read('   /x)', 2)).toBeUndefined();
  });

  test.each([
    ['a&#47;b)', 'a/b'],
    ['a&sol;b)', 'a/b'],
    ['a\\/b)', 'a/b'],
    ['a\\[b\\]c\\`d)', 'a[b]c`d'],
    ['a\\!b\\~c\\:d\\@e\\{g)', 'a!b~c:d@e{g'],
    ['a\\bc)', 'a\\bc'],
    ['a\\\u00e9)', 'a\\\u00e9'],
    ['a&amp;#47;b)', 'a&#47;b'],
  ])('%j means %j', (text, decoded) => {
    expect(read(text)?.[1]).toBe(decoded);
  });
});

describe('URLs that all renderers read alike', () => {
  test.each([
    'http://a.example',
    'https://a.example/',
    'HTTPS://A.example:8080/x',
    'https://a.example.',
    'https://a-b.example/x?y=1&z#q',
    'https://1.2.3.4',
    'https://a',
    'https://a?x',
    'https://a#x',
    'https://a/!#$%&+,./:;=?@_~*-',
    'mailto:a.b+c-d@e-f.example',
    'data:image/png;base64,AA==',
  ])('%j', (raw) => {
    expect(isStrict(raw)).toBe(true);
  });

  test.each([
    'ftp://a',
    'https:/a',
    'https:a',
    '//a',
    'https://',
    'https://a_b',
    'https://a..b',
    'https://.a',
    'https://a@b',
    'https://a:',
    'https://a:123456',
    'https://a:8x',
    'https://a/ x',
    'https://a/(x)',
    'https://a/[x]',
    'https://a/"',
    "https://a/'",
    'https://a/`',
    'https://a/\\',
    'https://a/<',
    'https://a/|',
    'https://a/^',
    'https://a/{',
    'https://a/\u00e9',
    'xhttps://a',
    'https://a\n',
    'mailto:a',
    'mailto:a@b?c',
    'xmailto:a@b',
    'mailto:@b',
    'mailto:a@',
    'mailto:a b@c',
    'data:image/svg+xml;base64,AA',
  ])('not %j', (raw) => {
    expect(isStrict(raw)).toBe(false);
  });

  test.each([
    ['https://a/(x)', 'https://a/%28x%29'],
    ["https://a/'", 'https://a/%27'],
    ['https://a/|', 'https://a/%7C'],
    ['https://a/x', 'https://a/x'],
    ['https://a/!#$%&+,./:;=?@_~*-', 'https://a/!#$%&+,./:;=?@_~*-'],
    ['https://a/\t', 'https://a/%09'],
    ['https://[::1]/', undefined],
    ['ftp://a/', undefined],
  ])('%j is rewritten to %j', (href, strict) => {
    expect(strictHref(href)).toBe(strict);
  });
});

describe('relative URLs that all renderers read alike', () => {
  test.each(['', 'x', 'x/y.md', '../x', '/x', '#y', '?y', 'x(y)', 'x%20y', 'dätei.md', 'a@b', 'w.w', 'ww.x'])(
    '%j',
    (raw) => {
      expect(isStrictRelative(raw)).toBe(true);
    },
  );

  test.each([
    '//x',
    'x//y',
    'www.x',
    'x/WWW.y',
    'x:y',
    'x\\y',
    'x<y',
    'x>y',
    'x[y',
    'x]y',
    'x`y',
    'x"y',
    "x'y",
    'x y',
    'x\ty',
    'x\0y',
    'x\x1fy',
    'x\x7fy',
    'x\x9fy',
    'x\u00a0y',
    'x\u2028y',
  ])('not %j', (raw) => {
    expect(isStrictRelative(raw)).toBe(false);
  });
});

/**
 * As the named character references of HTML give them: every name of a character that a URL or the syntax around one
 * has.
 */
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

  test.each(['&copy;', '&COLON;', '&toString;', '&constructor;', '&', '&;', '&#;', '&#x;', '&a'])(
    '%s stays unchanged',
    (text) => {
      expect(decodeReferences(`x${text}y`)).toBe(`x${text}y`);
    },
  );
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

  test('decodes any character in both notations', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0x10ffff }), (code) => {
        expect(decodeReferences(`&#${code};`)).toBe(String.fromCodePoint(code));
        expect(decodeReferences(`&#x${code.toString(16)};`)).toBe(String.fromCodePoint(code));
      }),
    );
  });

  test('decodes once: a decoded reference is not read again', () => {
    expect(decodeReferences('&amp;#58;')).toBe('&#58;');
  });
});
