import { expect, test } from 'vitest';
import { printableRun } from './describe-run.ts';

test.each([
  ['hello', 'hello'],
  ['a\nb', 'a\\u{a}b'],
  ['a\u202eb', 'a\\u{202e}b'],
  ['\u{e0041}', '\\u{e0041}'],
  ['\ud800', '\\u{d800}'],
  ['wörld 世界', 'wörld 世界'],
])('%j is described as %s', (text, told) => {
  expect(printableRun(text, 200)).toBe(told);
});

test('a longer text is cut, with a mark', () => {
  expect(printableRun('abcdef', 3)).toBe('abc…');
  expect(printableRun('abc', 3)).toBe('abc');
});
