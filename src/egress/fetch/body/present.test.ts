import { describe, expect, test } from 'vitest';
import type { HopAnswer } from '../hop.ts';
import { present } from './present.ts';

function answer(bytes: Buffer | string, more: Partial<HopAnswer> = {}): HopAnswer {
  return { kind: 'answer', status: 200, contentType: 'text/plain', bytes: Buffer.from(bytes), truncated: false, ...more };
}

const convertHtml = async (html: string, url: string) => ({ text: `converted ${html} of ${url}`, form: 'html' as const });
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
    expect(await present({ answer: answer(body, { contentType }), ...about }, { convertHtml }, {})).toEqual({ kind: 'text', status: 200, contentType, truncated: false, ...about, form, text, findings: [] });
  });

  test('HTML stays as it is on request', async () => {
    expect(await present({ answer: answer('<p>a', { contentType: 'text/html' }), ...about }, { convertHtml }, { html: 'source' })).toMatchObject({ form: 'source', text: '<p>a' });
  });

  test('charset of the header', async () => {
    expect(await present({ answer: answer(Buffer.from([0xfc]), { contentType: 'text/plain; charset=iso-8859-1' }), ...about }, { convertHtml }, {})).toMatchObject({ text: '\u00fc' });
  });
});

describe('what is no text', () => {
  test.each(['image/png', 'application/pdf', 'application/octet-stream', 'text/html', 'application/json'])('as %s', async (contentType) => {
    const bytes = Buffer.from([1, 0, 2]);
    const refused = await present({ answer: answer(bytes, { contentType }), ...about }, { convertHtml }, {});
    expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'upstream-protocol', message: `https://a.test/ is no text (${contentType}, 3 bytes)` } });
    expect(await present({ answer: answer(bytes, { contentType }), ...about }, { convertHtml }, { binary: 'bytes' })).toEqual({ kind: 'bytes', status: 200, contentType, truncated: false, ...about, bytes });
  });

  test('a type of the server cannot forge a line', async () => {
    const refused = await present({ answer: answer('\0', { contentType: 'image/png\u202e\u2028x' }), ...about }, { convertHtml }, {});
    expect(refused.kind === 'refused' ? refused.refusal.message : '').not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  });

  test('that was cut off says so', async () => {
    const refused = await present({ answer: answer('\0', { truncated: true }), ...about }, { convertHtml }, {});
    expect(refused.kind === 'refused' ? refused.refusal.message : '').toContain('more than 1 bytes');
  });
});

describe('what does not show', () => {
  const body = 'pay\u200b\u001b]0;x\u0007load';

  test('is revealed and told, after the conversion', async () => {
    const shown = await present({ answer: answer(`<p>${body}`, { contentType: 'text/html' }), ...about }, { convertHtml }, {});
    expect(shown).toMatchObject({ text: 'converted <p>pay⟦U+200B⟧⟦OSC 0⟧load of https://a.test/', form: 'html' });
    expect(shown.kind === 'text' ? shown.findings.map(({ kind }) => kind) : []).toEqual(['escape-sequence', 'invisible']);
  });

  test('stays on request, and is told', async () => {
    const shown = await present({ answer: answer(body), ...about }, { convertHtml }, { hidden: 'keep' });
    expect(shown).toMatchObject({ text: body });
    expect(shown.kind === 'text' ? shown.findings : []).toHaveLength(2);
  });

  test('bytes are what they are', async () => {
    expect(await present({ answer: answer('\0\u200b'), ...about }, { convertHtml }, { binary: 'bytes' })).toMatchObject({ kind: 'bytes', bytes: Buffer.from('\0\u200b') });
  });
});
