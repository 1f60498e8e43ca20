import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filterText } from '../filter/filter-text.ts';
import { cleanTexts } from '../filter/testing/clean-texts.ts';
import { decodeUtf8, escapePath } from './escape-path.ts';
import { unescapePath } from './unescape-path.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

describe('ordinary paths stay unchanged', () => {
  test.each([
    '',
    '/',
    'README.md',
    '/srv/project/src/index.ts',
    'my file (1).txt',
    "it's [a] {b} $c `d` *e* ~f#",
    'größe/naïve.txt',
    '東京/ファイル.txt',
    'привет.txt',
    'שלום.txt',
    '한국어',
    'हिन्दी.txt',
    'ที่นี่',
    '😀.png',
    '-rf',
    '..',
    'a//b',
  ])('%s', (path) => {
    expect(escapePath(path)).toBe(path);
    expect(escapePath(new TextEncoder().encode(path))).toBe(path);
  });
});

describe('invisible characters are escaped', () => {
  test.each([
    ['a\u200bb', 'a\\u{200b}b'],
    ['می\u200cخواهم', 'می\\u{200c}خواهم'],
    ['❤\ufe0f', '❤\\u{fe0f}'],
    ['👩\u200d💻', '👩\\u{200d}💻'],
    ['a\nb', 'a\\u{a}b'],
    ['a\tb', 'a\\u{9}b'],
    ['a\rb', 'a\\u{d}b'],
    ['\u001b[2J', '\\u{1b}[2J'],
    ['evil\u202etxt.exe', 'evil\\u{202e}txt.exe'],
    ['a\u00a0b', 'a\\u{a0}b'],
    ['a\u3000b', 'a\\u{3000}b'],
    ['\u3164', '\\u{3164}'],
    ['\u2800', '\\u{2800}'],
    ['\ufeffa', '\\u{feff}a'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\ud800', '\\u{d800}'],
    ['\uffff', '\\u{ffff}'],
    ['\ue0b0', '\\u{e0b0}'],
    ['\u0378', '\\u{378}'],
    ['a\\b', 'a\\\\b'],
    ['\\u{200b}', '\\\\u{200b}'],
    ['⟦U+200B⟧', '\\u{27e6}U+200B⟧'],
  ])('%j is %s', (path, text) => {
    expect(escapePath(path)).toBe(text);
    expect(unescapePath(text)).toBe(path);
  });
});

describe('blanks at the edges of a name', () => {
  test.each([
    [' a', '\\u{20}a'],
    ['a ', 'a\\u{20}'],
    ['a /b', 'a\\u{20}/b'],
    ['a/ b', 'a/\\u{20}b'],
    [' ', '\\u{20}'],
    ['a b', 'a b'],
    ['a  ', 'a \\u{20}'],
  ])('%j is %s', (path, text) => {
    expect(escapePath(path)).toBe(text);
  });
});

describe('two spellings of the same letters show as two names', () => {
  test.each([
    ['é', 'e\u0301', 'e\\u{301}'],
    ['Å', 'A\u030a', 'A\\u{30a}'],
    ['Å', '\u212b', '\\u{212b}'],
    ['ệ', 'e\u0323\u0302', 'e\\u{323}\\u{302}'],
    ['ệ', 'ê\u0323', 'ê\\u{323}'],
    ['가', '\u1100\u1161', '\u1100\\u{1161}'],
    ['क\u093c', '\u0958', '\\u{958}'],
    ['が', 'か\u3099', 'か\\u{3099}'],
    ['q\u0323\u0307', 'q\u0307\u0323', 'q\\u{307}\\u{323}'],
    ['q\u0316\u0305', 'q\u0305\u0316', 'q\u0305\\u{316}'],
  ])('%s stays, and its other spelling is %s → %s', (composed, other, text) => {
    expect(escapePath(composed)).toBe(composed);
    expect(escapePath(other)).toBe(text);
    expect(unescapePath(text)).toBe(other);
  });

  test('a combining mark at the start of a name is escaped, or it would change the slash', () => {
    expect(escapePath('a/\u0338b')).toBe('a/\\u{338}b');
    expect(escapePath('a-\u0338b')).toBe('a-\\u{338}b');
    expect(escapePath('a \u0305b')).toBe('a \\u{305}b');
    expect(escapePath('\u0301')).toBe('\\u{301}');
    expect(escapePath('\u200b\u0301')).toBe('\\u{200b}\\u{301}');
  });

  test('capitals stay unchanged', () => {
    expect(escapePath('README')).not.toBe(escapePath('readme'));
  });
});

describe('bytes that are not UTF-8', () => {
  test.each([
    [[0x61, 0xff, 0x62], 'a\\x{ff}b'],
    [[0xc3], '\\x{c3}'],
    [[0xc3, 0x28], '\\x{c3}('],
    [[0xc0, 0xaf], '\\x{c0}\\x{af}'],
    [[0xe0, 0x80, 0xaf], '\\x{e0}\\x{80}\\x{af}'],
    [[0xed, 0xa0, 0x80], '\\x{ed}\\x{a0}\\x{80}'],
    [[0xf4, 0x90, 0x80, 0x80], '\\x{f4}\\x{90}\\x{80}\\x{80}'],
    [[0xf5], '\\x{f5}'],
    [[0xf0, 0x9f, 0x98], '\\x{f0}\\x{9f}\\x{98}'],
    [[0xf0, 0x9f, 0x98, 0x80], '😀'],
    [[0xc3, 0xa9, 0xff], 'é\\x{ff}'],
  ])('%j is %s', (bytes, text) => {
    expect(escapePath(Uint8Array.from(bytes))).toBe(text);
    const back = unescapePath(text);
    expect(typeof back === 'string' ? [...new TextEncoder().encode(back)] : [...back]).toEqual(bytes);
  });

  test('valid bytes are decoded as one text', () => {
    expect(decodeUtf8(new TextEncoder().encode('aé世😀'))).toEqual(['aé世😀']);
    expect(decodeUtf8(Uint8Array.of())).toEqual([]);
  });

  test('the decoder accepts the same bytes as the platform', () => {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const bytes = fc.uint8Array({ maxLength: 4 });
    fc.assert(
      fc.property(bytes, (input) => {
        const isValid = decodeUtf8(input).every((part) => typeof part === 'string');
        let platform = true;
        try {
          strict.decode(input);
        } catch {
          platform = false;
        }
        return isValid === platform;
      }),
      { numRuns: rounds(5000) },
    );
  });
});

describe('paths as a model writes them', () => {
  test.each([
    ['a\\u{62}c', 'abc'],
    ['a\\u{200B}', 'a\u200b'],
    ['\\U{20}', ' '],
    ['plain', 'plain'],
  ])('%s is %j', (text, path) => {
    expect(unescapePath(text)).toBe(path);
  });

  test.each([
    '\\',
    'a\\',
    'C:\\temp',
    '\\u200b',
    '\\u{}',
    '\\u{110000}',
    '\\u{1234567}',
    '\\x{41}',
    '\\x{7f}',
    '\\x{fff}',
    '\\xff',
    '\\n',
  ])('%s is refused', (text) => {
    expect(() => unescapePath(text)).toThrow(expect.objectContaining({ code: 'HF_TEXT_REJECTED' }));
  });
});

describe('laws', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom(
      '\\',
      'u{200b}',
      'x{ff}',
      '\u0301',
      '\u0323',
      '\u0305',
      '\u0316',
      'e',
      'é',
      ' ',
      '/',
      '\u200b',
      '⟦U+',
      '\u1100',
      '\u1161',
      '\ud83d',
      '\ude00',
      '.',
      'a',
    ),
    fc.constantFrom(...Object.values(cleanTexts)),
  );
  const path = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const runs = { numRuns: rounds(3000) };

  test('a string survives the round trip', () => {
    fc.assert(
      fc.property(path, (text) => unescapePath(escapePath(text)) === text),
      runs,
    );
  });

  test('bytes survive the round trip', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const back = unescapePath(escapePath(bytes));
        expect(typeof back === 'string' ? new TextEncoder().encode(back) : back).toEqual(bytes);
      }),
      runs,
    );
  });

  test('the bytes of a text are escaped like the text', () => {
    fc.assert(
      fc.property(
        path.filter((text) => text.isWellFormed()),
        (text) => escapePath(new TextEncoder().encode(text)) === escapePath(text),
      ),
      runs,
    );
  });

  test('escaped paths are composed: no two spellings look alike', () => {
    fc.assert(
      fc.property(path, (text) => {
        const written = escapePath(text);
        expect(written.normalize('NFC')).toBe(written);
      }),
      runs,
    );
  });

  test('an escaped path is clean for the filter, in any form', () => {
    fc.assert(
      fc.property(path, (text) => {
        const written = escapePath(text);
        for (const form of ['prose', 'code', 'name', 'command'] as const)
          expect(filterText(written, { form, mode: 'reject' }).text).toBe(written);
        expect(filterText(written, { form: 'command' }).text).toBe(written);
      }),
      runs,
    );
  });

  test('every code point survives the round trip and is visible', () => {
    const wrong: number[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const text = `a${String.fromCodePoint(point)}b`;
      const written = escapePath(text);
      if (unescapePath(written) !== text || written.normalize('NFC') !== written) wrong.push(point);
    }
    expect(wrong).toEqual([]);
  });
});
