import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { filterText } from './filter-text.ts';

/** What would take the time of its square, if a rule looked further than its neighbours. */
const pieces: readonly (readonly [name: string, piece: string])[] = [
  ['zero-width blanks apart', 'a\u200b'],
  ['every kind in turn', '\u200b\u202e\u{e0041}\ufe0f\u3164\u2028\0'],
  ['joined emoji', '👩\u200d'],
  ['whole emoji', '👩\u200d💻'],
  ['tones', '🏽'],
  ['selectors', '\ufe0f'],
  ['emoji and selectors', '❤\ufe0f\ufe0f'],
  ['flags that begin', '🏴\u{e0067}\u{e0062}'],
  ['unclosed isolates', 'א\u2067'],
  ['closes without an opening', 'א\u2069'],
  ['isolates and embeddings crossed', 'א\u2067\u202a\u2069\u202c'],
  ['marks', 'א\u200f'],
  ['marks without right-to-left letters', 'a\u200f'],
  ['marks in paragraphs', 'א\u200f\n'],
  ['marks and joiners', '\u0301\u200d'],
  ['viramas', 'क्\u200d'],
  ['Persian', 'می\u200c'],
  ['lone surrogates', '\ud83d'],
  ['CR', '\r'],
  ['brackets', '⟦U+'],
  ['byte order marks', '\ufeff'],
];

describe.each(pieces)('a hundred thousand characters of %s', (_name, piece) => {
  test.each(['prose', 'code', 'name', 'command'] as const)('take linear time as %s', async (form) => {
    for (const mode of ['reveal', 'strip', 'report'] as const) {
      expect(
        await growth((size) => filterText(piece.repeat(Math.ceil(size / piece.length)), { mode, form }), 1e5),
      ).toBeLessThan(linear);
    }
  });
});
