import { expect, test } from 'vitest';
import { letsPass, refuse } from './refuse.ts';
import { verdictOf } from './testing/authorities.ts';

test('a refusal has texts of one line, without control characters', () => {
  const { refusal } = refuse('unreachable', 'a\nb\u001b[31m\u202e', { remedy: 'c\r\u2028' });
  expect(refusal).toEqual({ code: 'unreachable', message: 'a\\u{a}b\\u{1b}[31m\\u{202e}', remedy: 'c\\u{d}\\u{2028}' });
});

test('is bounded', () => {
  expect(refuse('unreachable', 'x'.repeat(10_000), { remedy: '' }).refusal.message.length).toBeLessThan(500);
});

test('keeps the verdict', () => {
  const verdict = verdictOf('deny');
  expect(refuse('policy', 'a', { remedy: 'b', verdict }).refusal.verdict).toBe(verdict);
});

test.each([
  ['allow', true],
  ['audit', true],
  ['redirect', false],
  ['stage', false],
  ['ask', false],
  ['deny', false],
] as const)('%s permits: %s', (decision, expected) => {
  expect(letsPass({ decision })).toBe(expected);
});
