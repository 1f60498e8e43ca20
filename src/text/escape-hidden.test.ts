import { expect, test } from 'vitest';
import { escapeHidden } from './escape-hidden.ts';

test.each([
  ['plain words', 'plain words'],
  ['naïve 漢字 می', 'naïve 漢字 می'],
  ['a\u001b[2J', 'a\\u{1b}[2J'],
  ['a\u202eb', 'a\\u{202e}b'],
  ['a\u3164b', 'a\\u{3164}b'],
  ['a\u034fb', 'a\\u{34f}b'],
  ['a\ufe0fb', 'a\\u{fe0f}b'],
  ['a\u{e0041}b', 'a\\u{e0041}b'],
  ['a\u2800b', 'a\\u{2800}b'],
  ['a\ud800b', 'a\\u{d800}b'],
  ['one\ntwo\tthree', 'one\\u{a}two\\u{9}three'],
  ['one\r\ntwo', 'one\\u{d}\\u{a}two'],
])('%j is written %j', (text, shown) => {
  expect(escapeHidden(text)).toBe(shown);
});

test('messages of several lines keep their line breaks', () => {
  expect(escapeHidden('one\n\ttwo\r\u0007', 'lines')).toBe('one\n\ttwo\\u{d}\\u{7}');
});
