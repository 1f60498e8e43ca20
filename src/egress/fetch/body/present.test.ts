import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../../scripts/testing/work-time.ts';
import type { HopAnswer } from '../types.ts';
import { decodeText, looksBinary, natureOf, parseContentType, presentAnswer } from './present.ts';

function answer(bytes: Buffer | string, more: Partial<HopAnswer> = {}): HopAnswer {
  return {
    kind: 'answer',
    status: 200,
    contentType: 'text/plain',
    bytes: Buffer.from(bytes),
    truncated: false,
    ...more,
  };
}

const convertHtml = async (html: string, url: string) => ({
  text: `converted ${html} of ${url}`,
  form: 'html' as const,
});
const about = { finalUrl: 'https://a.test/', redirects: ['https://b.test/'] };

describe('form', () => {
  test.each([
    ['text/plain', 'a', 'source', 'a'],
    ['text/html', '<p>a', 'html', 'converted <p>a of https://a.test/'],
    ['application/xhtml+xml', '<p>a', 'html', 'converted <p>a of https://a.test/'],
    ['', '<!doctype html>a', 'html', 'converted <!doctype html>a of https://a.test/'],
    ['application/octet-stream', ' \n<HTML lang=en>', 'html', 'converted  \n<HTML lang=en> of https://a.test/'],
    ['text/plain', '<!doctype html>a', 'source', '<!doctype html>a'],
    ['application/json', '{"a":1}', 'source', '{"a":1}'],
    ['application/problem+json', '{}', 'source', '{}'],
    ['', 'just text', 'source', 'just text'],
    ['application/octet-stream', '#!/bin/sh\n', 'source', '#!/bin/sh\n'],
    ['image/png', '', 'source', ''],
    ['nonsense', 'a', 'source', 'a'],
  ])('%j %j is %s', async (...[contentType, body, form, text]) => {
    expect(await presentAnswer({ answer: answer(body, { contentType }), ...about }, { convertHtml }, {})).toEqual({
      kind: 'text',
      status: 200,
      contentType,
      truncated: false,
      ...about,
      form,
      text,
      findings: [],
    });
  });

  test('HTML stays unchanged on request', async () => {
    expect(
      await presentAnswer(
        { answer: answer('<p>a', { contentType: 'text/html' }), ...about },
        { convertHtml },
        { html: 'source' },
      ),
    ).toMatchObject({ form: 'source', text: '<p>a' });
  });

  test('charset of the header', async () => {
    expect(
      await presentAnswer(
        { answer: answer(Buffer.from([0xfc]), { contentType: 'text/plain; charset=iso-8859-1' }), ...about },
        { convertHtml },
        {},
      ),
    ).toMatchObject({ text: '\u00fc' });
  });
});

describe('content that is not text', () => {
  test.each(['image/png', 'application/pdf', 'application/octet-stream', 'text/html', 'application/json'])(
    'as %s',
    async (contentType) => {
      const bytes = Buffer.from([1, 0, 2]);
      const refused = await presentAnswer({ answer: answer(bytes, { contentType }), ...about }, { convertHtml }, {});
      expect(refused).toMatchObject({
        kind: 'refused',
        refusal: { code: 'upstream-protocol', message: `https://a.test/ is not text (${contentType}, 3 bytes)` },
      });
      expect(
        await presentAnswer({ answer: answer(bytes, { contentType }), ...about }, { convertHtml }, { binary: 'bytes' }),
      ).toEqual({ kind: 'bytes', status: 200, contentType, truncated: false, ...about, bytes });
    },
  );

  test('a type from the server cannot forge a line', async () => {
    const refused = await presentAnswer(
      { answer: answer('\0', { contentType: 'image/png\u202e\u2028x' }), ...about },
      { convertHtml },
      {},
    );
    expect(refused.kind === 'refused' ? refused.refusal.message : '').not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  });

  test('a truncated one is reported as truncated', async () => {
    const refused = await presentAnswer({ answer: answer('\0', { truncated: true }), ...about }, { convertHtml }, {});
    expect(refused.kind === 'refused' ? refused.refusal.message : '').toContain('more than 1 bytes');
  });
});

describe('invisible text', () => {
  const body = 'pay\u200b\u001b]0;x\u0007load';

  test('is revealed and reported, after the conversion', async () => {
    const shown = await presentAnswer(
      { answer: answer(`<p>${body}`, { contentType: 'text/html' }), ...about },
      { convertHtml },
      {},
    );
    expect(shown).toMatchObject({ text: 'converted <p>pay⟦U+200B⟧⟦OSC 0⟧load of https://a.test/', form: 'html' });
    expect(shown.kind === 'text' ? shown.findings.map(({ kind }) => kind) : []).toEqual([
      'escape-sequence',
      'invisible',
    ]);
  });

  test('stays on request, with a notice', async () => {
    const shown = await presentAnswer({ answer: answer(body), ...about }, { convertHtml }, { hidden: 'keep' });
    expect(shown).toMatchObject({ text: body });
    expect(shown.kind === 'text' ? shown.findings : []).toHaveLength(2);
  });

  test('in bytes stays unchanged', async () => {
    expect(
      await presentAnswer({ answer: answer('\0\u200b'), ...about }, { convertHtml }, { binary: 'bytes' }),
    ).toMatchObject({ kind: 'bytes', bytes: Buffer.from('\0\u200b') });
  });
});

test.each([
  ['text/html', 'text/html', undefined],
  ['text/html; charset=utf-8', 'text/html', 'utf-8'],
  ['Text/HTML;Charset="ISO-8859-1"', 'text/html', 'iso-8859-1'],
  ['text/html; a=b; charset = gbk ; c=d', 'text/html', 'gbk'],
  ['application/vnd.api+json;profile="x;charset=y"', 'application/vnd.api+json', 'y'],
  ['  text/plain ', 'text/plain', undefined],
  ['', '', undefined],
  ['text', '', undefined],
  ['/', '', undefined],
  ['text/html, text/plain', '', undefined],
  ['text/html; charset=', 'text/html', undefined],
  ['text/html\r\nX: y', '', undefined],
])('%j', (...[header, essence, charset]) => {
  const parsed = parseContentType(header);
  expect(parsed.essence).toBe(essence);
  expect(parsed.charset?.replace('"', '')).toBe(charset);
});

test.each([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/plain', 'text'],
  ['text/x-anything', 'text'],
  ['application/json', 'text'],
  ['application/ld+json', 'text'],
  ['application/atom+xml', 'text'],
  ['application/javascript', 'text'],
  ['image/svg+xml', 'text'],
  ['image/png', 'binary'],
  ['application/pdf', 'binary'],
  ['application/zip', 'binary'],
  ['video/mp4', 'binary'],
  ['application/octet-stream', 'unknown'],
  ['', 'unknown'],
])('%j is %s', (essence, nature) => {
  expect(natureOf(essence)).toBe(nature);
});

test('any header is read quickly', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (header) => {
      expect(natureOf(parseContentType(header).essence)).toBeDefined();
    }),
  );
  const hostile = [`text/html${';'.repeat(1_000_000)}charset`, `text/html;charset=${'"'.repeat(1_000_000)}`];
  atMost(100, () => {
    for (const header of hostile) parseContentType(header);
  });
});

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
  ['an unknown label', Buffer.from('\u00fc'), 'klingon', '\u00fc'],
  ['UTF-7, which is never decoded', Buffer.from('+ADw-script'), 'utf-7', '+ADw-script'],
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
])('a page may declare its charset: %s', (head, expected) => {
  const page = Buffer.concat([Buffer.from(head), bytes(0x93, 0xfa)]);
  expect(decodeText(page, { nature: 'html' }).endsWith(expected)).toBe(true);
  expect(decodeText(page, { nature: 'text' }).endsWith('\u201c\u00fa')).toBe(true);
});

test('a page in ASCII that claims UTF-16 is not UTF-16', () => {
  expect(decodeText(Buffer.from('<meta charset=utf-16le>\u00fc'), { nature: 'html' })).toBe(
    '<meta charset=utf-16le>\u00fc',
  );
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
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.option(fc.string({ maxLength: 12 }), { nil: undefined }),
      (source, charset) => {
        expect(typeof decodeText(source, { charset, nature: 'html' })).toBe('string');
      },
    ),
  );
});
