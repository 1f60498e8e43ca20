import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beforeTimer } from '../../../../scripts/testing/before-timer.ts';
import { atMost } from '../../../../scripts/testing/work-time.ts';
import { createHtmlConverter, stripTags } from './convert-html.ts';

const convert = createHtmlConverter();
const here = 'https://example.test/docs/page';

async function textOf(html: string): Promise<string> {
  const { text, form } = await convert(html, here);
  expect(form).toBe('html');
  return text;
}

describe('a page', () => {
  test('becomes text', async () => {
    const text = await textOf(
      '<html><head><title>T</title></head><body><h1>Head <b>line</b></h1><p>One &amp; two.</p><ul><li>a</li><li>b</li></ul><ol><li>c</li></ol><pre>x\n  y</pre></body></html>',
    );
    expect(text).toBe('# Head line\n\nOne & two.\n\n * a\n * b\n\n 1. c\n\nx\n  y');
  });

  test('links keep their targets, resolved against the page', async () => {
    const text = await textOf(
      '<a href="/a">root</a> <a href="b">beside</a> <a href="https://other.test/">other</a> <a href="https://same.test/">https://same.test/</a> <a href="#x">here</a> <a href="javascript:alert(1)">script</a> <a href="data:text/html,x">data</a>',
    );
    expect(text).toContain('root [https://example.test/a]');
    expect(text).toContain('beside [https://example.test/docs/b]');
    expect(text).toContain('other [https://other.test/]');
    expect(text.match(/same\.test/g)?.length).toBe(1);
    expect(text).not.toMatch(/javascript:|data:|#x/);
  });

  test('tables have rows and cells', async () => {
    const text = await textOf('<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>');
    expect(text.split('\n').map((line) => line.trim())).toEqual(['a | b |', '1 | 2 |']);
  });

  test.each([
    '<script>x</script>',
    '<style>x</style>',
    '<template>x</template>',
    '<noscript>x</noscript>',
    '<iframe>x</iframe>',
    '<svg><text>x</text></svg>',
    '<img alt=x src=x>',
    '<p hidden>x</p>',
    '<p style="display:none">x</p>',
    '<p style="color:red; display: none">x</p>',
    '<p style="visibility:hidden">x</p>',
    '<!-- x -->',
    '<head><title>x</title></head>',
  ])('invisible content is left out: %s', async (html) => {
    expect(await textOf(`<body>a ${html} b</body>`)).not.toContain('x');
  });
});

describe('hostile pages', () => {
  const quick = createHtmlConverter({ timeout: 800, memory: 64 });

  test.each([
    ['deep', '<div>'.repeat(500_000)],
    ['wide spans', '<table><tr><td colspan=1000000000 rowspan=1000000000>x</td></tr></table>'],
    ['deep tables', '<table><tr><td>'.repeat(100_000)],
    ['many paragraphs', '<p>x'.repeat(200_000)],
    ['closing tags', '</p>'.repeat(1_000_000)],
    ['open brackets', '<'.repeat(5_000_000)],
    ['attributes', `<a ${'b=c '.repeat(1_000_000)}>`],
    ['a list that counts past the end', `<ol start=99999999999999999999>${'<li>'.repeat(1000)}</ol>`],
  ])('%s: come to an end, in one form or the other', async (_, html) => {
    // Ten times what it has.
    const converted = await beforeTimer(8000, () => quick(html, here));
    expect(converted === 'late' ? converted : converted.form).toMatch(/^(?:html|stripped)$/u);
  });

  test('a slow page comes without its tags', async () => {
    const { text, form } = await createHtmlConverter({ timeout: 1 })('<p>one</p><script>x</script><p>two</p>', here);
    expect({ text, form }).toEqual({ text: 'one two', form: 'stripped' });
  });

  test('a page that needs too much memory does too, and the process survives', async () => {
    const { form } = await createHtmlConverter({ timeout: 20_000, memory: 20 })('<p>x'.repeat(1_000_000), here);
    expect(form).toBe('stripped');
  });

  test('other work continues meanwhile', async () => {
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    await quick('<div>'.repeat(500_000), here);
    clearInterval(turning);
    expect(turns).toBeGreaterThan(10);
  });
});

test('invisible characters are left to the text filter', async () => {
  const { text } = await convert('<p>a\u200bb\u202ec\u{e0041}</p>', here);
  expect(text).toBe('a\u200bb\u202ec\u{e0041}');
});

test.each([
  ['<p>a</p><p>b</p>', 'a b'],
  ['a\n\n\n<b>b</b>', 'a\nb'],
  ['a<script>alert("x")</script>b', 'a b'],
  ['a<SCRIPT src=x>y</Script >b', 'a b'],
  ['a<style>p{}</style>b<template>c</template>d', 'a b d'],
  ['a<script>never ends', 'a'],
  ['a<unclosed', 'a'],
  ['a &lt;b&gt; &amp;amp; &quot;&#39;&nbsp;&unknown;', 'a <b> &amp; "\' &unknown;'],
  ['\u0130<script>x</script>\u0130', '\u0130 \u0130'],
  ['', ''],
])('%j', (html, text) => {
  expect(stripTags(html)).toBe(text);
});

test.each([['<'], ['<a'], ['<script>'], ['</script>'], ['<script'], ['>'], ['&'], ['&amp;'], [' '], ['\n'], ['<!--']])(
  '300,000 characters of %j take at most 600 units of work',
  (unit) => {
    atMost(600, () => stripTags(unit.repeat(300_000 / unit.length)));
  },
);

test('no script remains, in any context', () => {
  const around = fc.string({ unit: fc.constantFrom('a', '<', '>', '/', 'b', ' ', '"', '!', '-'), maxLength: 12 });
  fc.assert(
    fc.property(around, around, (before, after) => {
      expect(stripTags(`${before}<script>evil()</script>${after}`)).not.toContain('<script');
    }),
  );
});
