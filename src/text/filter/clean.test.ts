import { describe, expect, test } from 'vitest';
import { filterText } from './filter-text.ts';
import { findHidden } from './reject.ts';
import { cleanTexts } from './testing/clean-texts.ts';

const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

test('the list has at least 60 texts', () => {
  expect(Object.keys(cleanTexts).length).toBeGreaterThanOrEqual(60);
});

describe.each(Object.entries(cleanTexts))('%s', (_name, text) => {
  test.each(['reveal', 'strip', 'reject', 'report'] as const)('stays the same in mode %s', (mode) => {
    const filtered = filterText(text, { mode });
    expect(filtered.text).toBe(text);
    expect(filtered.findings).toEqual([]);
  });

  test('two in a row are clean, and so are all of them in lines', () => {
    expect(filterText(`${text}\n${text}`).text).toBe(`${text}\n${text}`);
  });
});

const [marked, unmarked] = [true, false].map((isMarked) =>
  Object.entries(cleanTexts).filter(([, text]) => directionMarks.test(text) === isMarked),
) as [[string, string][], [string, string][]];

test.each(unmarked)('%s stays the same as code', (_name, text) => {
  expect(filterText(text, { form: 'code' })).toEqual({ text, findings: [] });
});

test.each(marked)('%s is not clean as code, which needs no direction marks', (_name, text) => {
  expect(findHidden(text, 'code')?.kind).toBe('bidi');
});
