import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { skipString, skipText } from './skip.ts';
import { createTrie } from './trie.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const texts = fc.string({ unit: fc.constantFrom(...'abc"\\\u0162é\u4161', '\ud835'), maxLength: 12 });
const fakes = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '"', '\\'), minLength: 2, maxLength: 4 }), {
  maxLength: 4,
});

/** A fake begins with both units, or with the one where no other has come. */
function mayBegin(rest: string, words: readonly string[]): boolean {
  return words.some((word) => word.startsWith(rest.slice(0, 2)));
}

describe('text that begins no fake is skipped', () => {
  test('in text', () => {
    fc.assert(
      fc.property(fakes, texts, fc.nat({ max: 3 }), (words, text, from) => {
        const trie = createTrie();
        words.forEach((word) => trie.add(word));
        let expected = Math.min(from, text.length);
        while (expected < text.length && !mayBegin(text.slice(expected), words)) expected += 1;
        expect(skipText(text, Math.min(from, text.length), trie.automaton().begins)).toBe(expected);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('in strings, up to a quote or a backslash, or what a backslash may go on', () => {
    fc.assert(
      fc.property(fakes, texts, (words, text) => {
        const trie = createTrie();
        words.forEach((word) => trie.add(word));
        const stops = (rest: string): boolean =>
          /^["\\]/u.test(rest) ||
          mayBegin(rest, words) ||
          (rest.charAt(1) === '\\' && words.some((word) => word.startsWith(rest.charAt(0))));
        let expected = 0;
        while (expected < text.length && !stops(text.slice(expected))) expected += 1;
        expect(skipString(text, 0, trie.automaton().begins)).toBe(expected);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('and that is all where there are no fakes', () => {
    const { begins } = createTrie().automaton();
    expect([
      skipText('a"b\\', 0, begins),
      skipString('ab"', 0, begins),
      skipString('ab\\', 0, begins),
      skipText('', 0, begins),
    ]).toEqual([4, 2, 2, 0]);
  });
});
