import { describe, expect, test } from 'vitest';
import { filterText } from './filter-text.ts';
import { findHidden } from './reject.ts';
import { cleanTexts } from './testing/clean-texts.ts';

const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

test('there are enough of them', () => {
  expect(Object.keys(cleanTexts).length).toBeGreaterThanOrEqual(60);
});

describe.each(Object.entries(cleanTexts))('%s', (_name, text) => {
  test.each(['reveal', 'strip', 'reject', 'report'] as const)('is the same in mode %s', (mode) => {
    const filtered = filterText(text, { mode });
    expect(filtered.text).toBe(text);
    expect(filtered.findings).toEqual([]);
  });

  test('twice in a row is clean, and so is it in lines', () => {
    expect(filterText(`${text}\n${text}`).text).toBe(`${text}\n${text}`);
  });
});

const [marked, unmarked] = [true, false].map((isMarked) =>
  Object.entries(cleanTexts).filter(([, text]) => directionMarks.test(text) === isMarked),
) as [[string, string][], [string, string][]];

test.each(unmarked)('%s is the same as code', (_name, text) => {
  expect(filterText(text, { form: 'code' })).toEqual({ text, findings: [] });
});

test.each(marked)('%s is not clean as code: a direction mark there is never meant', (_name, text) => {
  expect(findHidden(text, 'code')?.kind).toBe('bidi');
});
