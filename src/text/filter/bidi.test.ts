import { describe, expect, test } from 'vitest';
import { filterText } from './filter-text.ts';

const refused: readonly (readonly [name: string, text: string, shown: string])[] = [
  [
    'CVE-2021-42574: an override in Latin text',
    'access_level != "user\u202e \u2066// admin\u2069 \u2066"',
    'access_level != "user⟦U+202E⟧ ⟦U+2066⟧// admin⟦U+2069⟧ ⟦U+2066⟧"',
  ],
  ['CVE-2021-42574: an override beside Hebrew', 'א "user\u202e\u2066 x\u2069"', 'א "user⟦U+202E⟧\u2066 x\u2069"'],
  ['a closed override beside Hebrew', 'א \u202eabc\u202c', 'א ⟦U+202E⟧abc⟦U+202C⟧'],
  ['a mark in Latin text', 'abc\u200e', 'abc⟦U+200E⟧'],
  ['closed isolates in Latin text', '\u2066abc\u2069', '⟦U+2066⟧abc⟦U+2069⟧'],
  ['an unclosed isolate', 'א \u2067abc', 'א ⟦U+2067⟧abc'],
  ['a close without an opening', 'א abc\u2069', 'א abc⟦U+2069⟧'],
  ['an embedding closed as an isolate', 'א \u202aabc\u2069', 'א ⟦U+202A⟧abc⟦U+2069⟧'],
  ['an isolate closed as an embedding', 'א \u2066abc\u202c', 'א ⟦U+2066⟧abc⟦U+202C⟧'],
  ['a closed isolate around nothing', 'א\u2066\u2069', 'א⟦U+2066 U+2069⟧'],
  ['a closed isolate around a blank', 'א\u2066 \u2069', 'א⟦U+2066⟧ ⟦U+2069⟧'],
  ['a closed isolate around invisible characters', 'א\u2066\u200b\u2069', 'א⟦U+2066⟧⟦U+200B⟧⟦U+2069⟧'],
  ['an embedding that an isolate crosses', 'א \u202aa\u2066b\u202cc\u2069', 'א ⟦U+202A⟧a\u2066b⟦U+202C⟧c\u2069'],
  ['two marks in a row', 'א\u200e\u200fב', 'א⟦U+200E U+200F⟧ב'],
  ['letters of another paragraph do not count', 'שלום\nabc\u200e', 'שלום\nabc⟦U+200E⟧'],
  ['an isolate across a line separator', 'א \u2066a\u2028b\u2069', 'א ⟦U+2066⟧a⟦U+2028⟧b⟦U+2069⟧'],
  ['an isolate across paragraphs', 'א \u2067a\nא b\u2069', 'א ⟦U+2067⟧a\nא b⟦U+2069⟧'],
];

test.each(refused)('%s is revealed', (_name, text, shown) => {
  expect(filterText(text).text).toBe(shown);
});

describe('direction marks that a right-to-left paragraph may have', () => {
  test.each([
    ['a mark at its start', '\u200fאב, abc'],
    ['a mark at the end of its line', 'abc אב\u200f\nabc'],
    ['a mark before CRLF', 'אב!\u200f\r\n'],
    ['an isolate', 'אב \u2068abc\u2069 ג'],
    ['isolates in isolates', 'א \u2067a \u2066b\u2069\u2069'],
    ['an embedding that an isolate ends', 'א \u2067a \u202bb\u202c c\u2069'],
  ])('%s', (_name, text) => {
    expect(filterText(text)).toEqual({ text, findings: [] });
  });

  test('are kept eight levels deep, and no deeper', () => {
    const nest = (depth: number) => `א${'\u2067a'.repeat(depth)}${'\u2069'.repeat(depth)}`;
    expect(filterText(nest(8)).findings).toEqual([]);
    expect(filterText(nest(9)).findings).toHaveLength(2);
  });

  test('are kept up to a number that a person could write', () => {
    const many = (count: number) => `א${'a\u200e'.repeat(count)}`;
    expect(filterText(many(4096)).findings).toEqual([]);
    expect(filterText(many(5000)).findings).toHaveLength(1000);
  });
});

test.each(['name', 'code', 'command'] as const)('a %s may have no direction marks', (form) => {
  expect(filterText('אב\u200f \u2067abc\u2069', { form }).findings.filter(({ kind }) => kind === 'bidi')).toHaveLength(
    3,
  );
});
