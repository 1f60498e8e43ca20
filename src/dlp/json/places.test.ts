import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldCase, type JsonPlace, type PlacePattern, topPlace } from './places.ts';
import { isMatch } from './testing/reference.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const key = fc.constantFrom('a', 'b', 'A', 'k', '\u212a', 's', '\u017f', '0', '7', '');
const path = fc.array(key, { maxLength: 6 });
const keys = fc.array(fc.oneof(key, fc.constantFrom('*', '**')), { minLength: 1, maxLength: 5 });

const under = <Of>(top: JsonPlace<Of>, path: readonly string[]): JsonPlace<Of> =>
  path.reduce((place, each) => place.under(each), top);
const patternOf = (pattern: string, matches: PlacePattern<string>['matches'] = 'patterns'): PlacePattern<string> => ({
  keys: pattern.split('.'),
  matches,
  of: pattern,
});

describe('places', () => {
  test('have the patterns that match their paths', () => {
    const matches = fc.constantFrom<PlacePattern<number>['matches']>('patterns', 'patterns-in-any-case', 'exactly');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(keys, matches), { maxLength: 5 }),
        fc.array(path, { maxLength: 8 }),
        (patterns, paths) => {
          const top = topPlace(patterns.map(([keys, matches], of) => ({ keys, matches, of })));
          for (const path of paths) {
            const wanted = patterns.flatMap(([keys, matches], of) => {
              if (matches === 'exactly') return JSON.stringify(keys) === JSON.stringify(path) ? [of] : [];
              return isMatch(keys.join('.'), path, matches === 'patterns' ? undefined : foldCase) ? [of] : [];
            });
            expect([...under(top, path).ends].sort()).toEqual(wanted);
          }
        },
      ),
      { numRuns: rounds(1000) },
    );
  });

  test('say when the next key does not matter: without it they come to the same place', () => {
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 4 }), path, fc.string(), (patterns, path, other) => {
        const place = under(topPlace(patterns.map((keys) => patternOf(keys.join('.'), 'patterns-in-any-case'))), path);
        if (!place.namesKeys) expect(place.under(other).ends).toEqual(place.under().ends);
        if (!place.namesIndexes) expect(place.under('7').ends).toEqual(place.under().ends);
        if (!place.isLive) expect(place.under(other)).toBe(place);
      }),
      { numRuns: rounds(500) },
    );
  });

  test.each([
    [['a.b'], true, false],
    [['a.0'], true, false],
    [['0.a'], true, true],
    [['*.a', '10'], true, true],
    [['*'], false, false],
    [['**'], false, false],
    [['**.a'], true, false],
    [[], false, false],
  ])('at the top of %j, keys matter: %j, indexes: %j', (patterns, namesKeys, namesIndexes) => {
    expect(topPlace(patterns.map((pattern) => patternOf(pattern)))).toMatchObject({ namesKeys, namesIndexes });
  });

  test('are live as long as something can match', () => {
    const top = topPlace([patternOf('a.b')]);
    expect(
      [[], ['a'], ['a', 'b'], ['b'], ['a', 'b', 'c'], ['a', 'c', 'b']].map((path) => under(top, path).isLive),
    ).toEqual([true, true, true, false, false, false]);
  });

  test('are the same ones where the patterns are as far', () => {
    const top = topPlace([patternOf('**.a')]);
    expect(under(top, ['b', 'c', 'd'])).toBe(top);
    expect(under(top, ['a', 'b'])).toBe(top);
    expect(under(top, ['b', 'a'])).toBe(under(top, ['a']));
  });

  test('a key in any case is one, an exact one beside it another', () => {
    const top = topPlace([patternOf('content', 'patterns-in-any-case'), patternOf('Content'), patternOf('content')]);
    expect(
      ['CONTENT', 'content', 'Content', 'CONTENT', 'content ', 'contents', 'conten'].map((key) => top.under(key).ends),
    ).toEqual([['content'], ['content', 'content'], ['content', 'Content'], ['content'], [], [], []]);
  });

  /** Each `**` that may stop anywhere doubles the sets of positions: there are more of them than are kept. */
  test('match rightly also where there are too many to keep', () => {
    const pattern = `**.a${'.*'.repeat(12)}`;
    const top = topPlace([patternOf(pattern)]);
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b'), { minLength: 12, maxLength: 60 }), (path) => {
        expect(under(top, path).ends).toEqual(path.at(-13) === 'a' ? [pattern] : []);
      }),
      { numRuns: rounds(500) },
    );
  });

  test('no more than 1000 are kept, whatever a document has', () => {
    const top = topPlace([patternOf(`**.a${'.*'.repeat(12)}`)]);
    const words = Array.from({ length: 4096 }, (_, word) =>
      [...word.toString(2).padStart(12, '0')].map((digit) => (digit === '1' ? 'a' : 'b')),
    );
    const places = words.map((word) => under(top, word));
    expect(new Set(places.filter((place, index) => place === under(top, words[index] ?? []))).size).toBeLessThanOrEqual(
      1000,
    );
  });
});

test('foldCase has no case, and the letters that Go folds', () => {
  expect(['Content', 'CONTENT', 'me\u017f\u017fages', '\u212aey', 'É'].map(foldCase)).toEqual([
    'content',
    'content',
    'messages',
    'key',
    'é',
  ]);
});
