import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { matchExpression, parsePhrases } from './phrases.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

test.each([
  ['shadow', [{ words: ['shadow'], end: 'whole' }]],
  [
    'Not  Granted',
    [
      { words: ['not'], end: 'whole' },
      { words: ['granted'], end: 'whole' },
    ],
  ],
  ['"not granted"', [{ words: ['not', 'granted'], end: 'whole' }]],
  ['/etc/shadow', [{ words: ['etc', 'shadow'], end: 'whole' }]],
  ['passw*', [{ words: ['passw'], end: 'prefix' }]],
  ['"git pu"*', [{ words: ['git', 'pu'], end: 'prefix' }]],
  [
    'a OR b',
    [
      { words: ['a'], end: 'whole' },
      { words: ['or'], end: 'whole' },
      { words: ['b'], end: 'whole' },
    ],
  ],
  ['ÄÖ', [{ words: ['äö'], end: 'whole' }]],
])('%j', (text, phrases) => {
  expect(parsePhrases(text)).toEqual(phrases);
});

test.each(['', '   ', '--', 'a -- b', '"', 'a "b', '""', '*', '(', ':'])('%j holds no words, and says so', (text) => {
  expect(parsePhrases(text)).toEqual({ kind: 'problem', message: expect.any(String), remedy: expect.any(String) });
});

test('no text leaves the quotation marks of an expression', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 40 }), (text) => {
      const phrases = parsePhrases(text);
      if (!('kind' in phrases)) expect(matchExpression(phrases)).toMatch(/^"[^"]+"(?: \*)?(?: AND "[^"]+"(?: \*)?)*$/u);
    }),
    { numRuns: rounds(2000) },
  );
});
