import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atMost } from '../../../../scripts/testing/work-time.ts';
import { stripTags } from './strip-tags.ts';

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

test.each([['<'], ['<a'], ['<script>'], ['</script>'], ['<script'], ['>'], ['&'], ['&amp;'], [' '], ['\n'], ['<!--']])('300,000 characters of %j take at most 600 units of work', (unit) => {
  atMost(600, () => stripTags(unit.repeat(300_000 / unit.length)));
});

test('no script stays, whatever is around it', () => {
  const around = fc.string({ unit: fc.constantFrom('a', '<', '>', '/', 'b', ' ', '"', '!', '-'), maxLength: 12 });
  fc.assert(
    fc.property(around, around, (before, after) => {
      expect(stripTags(`${before}<script>evil()</script>${after}`)).not.toContain('<script');
    }),
  );
});
