import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atMost } from '../../../../scripts/testing/work-time.ts';
import { natureOf, parseContentType } from './content-type.ts';

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

test('any header is read, at once', () => {
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
