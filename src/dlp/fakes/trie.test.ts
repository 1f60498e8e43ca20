import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTrie, type Trie } from './trie.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const few = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength });
const texts = fc.array(few(2, 6), { maxLength: 6 });

function trieOf(words: readonly string[]): Trie {
  const trie = createTrie();
  for (const word of words) trie.add(word);
  return trie;
}

describe('an automaton', () => {
  test('knows after each unit how much of it begins a text, and which one ends', () => {
    fc.assert(
      fc.property(texts, few(0, 30), (words, text) => {
        const automaton = trieOf(words).automaton();
        let state = 0;
        for (let at = 0; at < text.length; at += 1) {
          state = automaton.next(state, text.charCodeAt(at));
          const before = text.slice(0, at + 1);
          const beginnings = words.flatMap((word) => Array.from(word, (_, length) => word.slice(0, length + 1)));
          const longest = (of: readonly string[]): string | undefined =>
            of.filter((each) => before.endsWith(each)).sort((a, b) => b.length - a.length)[0];
          expect(automaton.depth(state)).toBe(longest(beginnings)?.length ?? 0);
          expect(automaton.matched(state)).toBe(longest(words));
        }
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('is the same however the texts were added, and another one after each', () => {
    fc.assert(
      fc.property(texts, few(0, 20), (words, text) => {
        const grown = createTrie();
        let last = grown.automaton();
        for (const word of words) {
          grown.add(word);
          expect(grown.automaton()).not.toBe(last);
          last = grown.automaton();
          expect(grown.automaton()).toBe(last);
        }
        const fresh = trieOf(words.toReversed()).automaton();
        let [a, b] = [0, 0];
        for (let at = 0; at < text.length; at += 1) {
          [a, b] = [last.next(a, text.charCodeAt(at)), fresh.next(b, text.charCodeAt(at))];
          expect([last.depth(a), last.matched(a)]).toEqual([fresh.depth(b), fresh.matched(b)]);
        }
      }),
      { numRuns: rounds(300) },
    );
  });

  test('finds a text added inside an earlier one, where a shorter one was found', () => {
    const trie = trieOf(['bb', 'babba']);
    const run = (): string | undefined => {
      const automaton = trie.automaton();
      return automaton.matched([...'babb'].reduce((state, unit) => automaton.next(state, unit.charCodeAt(0)), 0));
    };
    expect(run()).toBe('bb');
    trie.add('abb');
    expect(run()).toBe('abb');
  });

  test('keeps the meaning of states when a text is added', () => {
    const trie = trieOf(['abcd']);
    const state = [...'ab'].reduce((from, unit) => trie.automaton().next(from, unit.charCodeAt(0)), 0);
    trie.add('abxy');
    trie.add('bz');
    const later = trie.automaton();
    expect(later.depth(state)).toBe(2);
    expect(later.depth(later.next(state, 0x78))).toBe(3);
    expect(later.matched(later.next(state, 0x7a))).toBe('bz');
  });

  test('takes units that no text has for nothing', () => {
    const automaton = trieOf(['aab']).automaton();
    for (const unit of [-1, 0, 127, 128, 0xd83d, 0xffff]) {
      expect(automaton.next(0, unit)).toBe(0);
      expect(automaton.next(automaton.next(automaton.next(0, 0x61), 0x61), unit)).toBe(0);
    }
  });
});

describe('one text contains another', () => {
  test('where a search says so', () => {
    fc.assert(
      fc.property(texts, few(0, 12), (words, text) => {
        const trie = trieOf(words);
        expect(trie.standsIn(text)).toBe(words.some((word) => text.includes(word)));
        trie.automaton();
        expect(trie.standsIn(text)).toBe(words.some((word) => text.includes(word)));
      }),
      { numRuns: rounds(500) },
    );
  });
});
