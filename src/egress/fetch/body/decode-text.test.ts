import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, looksBinary } from './decode-text.ts';

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);

test.each([
  ['UTF-8 by itself', Buffer.from('gr\u00fc\u00df'), undefined, 'gr\u00fc\u00df'],
  ['UTF-8 by header', Buffer.from('gr\u00fc\u00df'), 'utf-8', 'gr\u00fc\u00df'],
  ['Latin-1 by header', bytes(0x67, 0x72, 0xfc, 0xdf), 'iso-8859-1', 'gr\u00fc\u00df'],
  ['Latin-1 by itself', bytes(0x67, 0x72, 0xfc, 0xdf), undefined, 'gr\u00fc\u00df'],
  ['Shift_JIS by header', bytes(0x93, 0xfa, 0x96, 0x7b), 'shift_jis', '\u65e5\u672c'],
  ['GBK by header', bytes(0xd6, 0xd0), 'gbk', '\u4e2d'],
  ['a mark against the header', bytes(0xef, 0xbb, 0xbf, 0xc3, 0xbc), 'iso-8859-1', '\u00fc'],
  ['UTF-16 by its mark', bytes(0xff, 0xfe, 0x61, 0x00), undefined, 'a'],
  ['big-endian UTF-16 by its mark', bytes(0xfe, 0xff, 0x00, 0x61), undefined, 'a'],
  ['a label nobody knows', Buffer.from('\u00fc'), 'klingon', '\u00fc'],
  ['UTF-7, which nobody should read', Buffer.from('+ADw-script'), 'utf-7', '+ADw-script'],
  ['a wrong label', bytes(0xfc), 'utf-8', '\ufffd'],
  ['a character cut in two', Buffer.from('gr\u00fc').subarray(0, 3), undefined, 'gr'],
  ['nothing', bytes(), undefined, ''],
])('%s', (...[, source, charset, expected]) => {
  expect(decodeText(source, { charset, nature: 'text' })).toBe(expected);
});

test.each([
  ['<meta charset=shift_jis>', '\u65e5'],
  ['<META CHARSET="Shift_JIS">', '\u65e5'],
  ['<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">', '\u65e5'],
  [`<meta charset=nothing>`, '\u201c\u00fa'],
  [`${' '.repeat(1100)}<meta charset=shift_jis>`, '\u201c\u00fa'],
])('a page says by itself: %s', (head, expected) => {
  const page = Buffer.concat([Buffer.from(head), bytes(0x93, 0xfa)]);
  expect(decodeText(page, { nature: 'html' }).endsWith(expected)).toBe(true);
  expect(decodeText(page, { nature: 'text' }).endsWith('\u201c\u00fa')).toBe(true);
});

test('a page in ASCII that says UTF-16 is not', () => {
  expect(decodeText(Buffer.from('<meta charset=utf-16le>\u00fc'), { nature: 'html' })).toBe('<meta charset=utf-16le>\u00fc');
});

test.each([
  [Buffer.from('text'), undefined, false],
  [bytes(0x50, 0x4b, 3, 4, 0), undefined, true],
  [bytes(0xff, 0xfe, 0x61, 0x00), undefined, false],
  [bytes(0x61, 0x00), 'utf-16le', false],
  [bytes(0x61, 0x00), 'utf-8', true],
  [bytes(), undefined, false],
])('%j looks binary with charset %s: %s', (...[source, charset, expected]) => {
  expect(looksBinary(source, charset)).toBe(expected);
});

test('any bytes become text, with any label', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.option(fc.string({ maxLength: 12 }), { nil: undefined }), (source, charset) => {
      expect(typeof decodeText(source, { charset, nature: 'html' })).toBe('string');
    }),
  );
});
