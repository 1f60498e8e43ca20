import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMatcher, type Match, shortestBeginning } from './matcher.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/** The same, without any cleverness. */
function found(bytes: Buffer, patterns: readonly Buffer[]): readonly Match<number>[] {
  const matches = patterns.flatMap((pattern, of) => {
    const starts: number[] = [];
    for (let at = bytes.indexOf(pattern); at !== -1; at = bytes.indexOf(pattern, at + 1)) starts.push(at);
    return starts.map((start) => ({ start, end: start + pattern.length, of }));
  });
  return ordered(matches);
}

function undecided(bytes: Buffer, patterns: readonly Buffer[]): number {
  for (let length = bytes.length; length >= shortestBeginning; length -= 1) {
    const end = bytes.subarray(bytes.length - length);
    if (patterns.some((pattern) => pattern.length > length && pattern.subarray(0, length).equals(end))) return length;
  }
  return 0;
}

function ordered(matches: readonly Match<number>[]): readonly Match<number>[] {
  return [...matches].sort((a, b) => a.start - b.start || a.of - b.of);
}

const matcherOf = (patterns: readonly Buffer[]) => createMatcher(patterns.map((bytes, of) => ({ bytes, of })));

/** Few letters, so that patterns overlap, repeat and begin alike. */
const letters = (minLength: number, maxLength: number): fc.Arbitrary<Buffer> =>
  fc.array(fc.constantFrom(0, 97, 98, 255), { minLength, maxLength }).map((bytes) => Buffer.from(bytes));

describe('a matcher', () => {
  test('finds the same as a search for each pattern, and keeps back possible beginnings', () => {
    fc.assert(
      fc.property(fc.array(letters(4, 40), { maxLength: 12 }), letters(0, 200), (patterns, bytes) => {
        const matcher = matcherOf(patterns);
        expect(ordered(matcher.find(bytes))).toEqual(found(bytes, patterns));
        expect(matcher.undecided(bytes)).toBe(undecided(bytes, patterns));
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('finds a pattern at every place of any bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 4, maxLength: 100 }),
        fc.uint8Array({ maxLength: 100 }),
        fc.uint8Array({ maxLength: 100 }),
        (pattern, before, after) => {
          const bytes = Buffer.concat([before, pattern, after]);
          expect(
            matcherOf([Buffer.from(pattern)])
              .find(bytes)
              .map(({ start }) => start),
          ).toContain(before.length);
        },
      ),
      { numRuns: rounds(500) },
    );
  });

  test('keeps back a beginning of any bytes, behind any bytes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 4, maxLength: 60 }), { minLength: 1, maxLength: 20 }),
        fc.uint8Array({ maxLength: 100 }),
        fc.nat(),
        (patterns, before, cut) => {
          const bytes = patterns.map((each) => Buffer.from(each));
          const chosen = bytes[cut % bytes.length] ?? Buffer.alloc(0);
          const chunk = Buffer.concat([before, chosen.subarray(0, cut % chosen.length)]);
          expect(matcherOf(bytes).undecided(chunk)).toBe(undecided(chunk, bytes));
        },
      ),
      { numRuns: rounds(1000) },
    );
  });

  test('gives matches in the order in which they begin', () => {
    const matcher = matcherOf(['abcdef', 'bcde', 'defg'].map((text) => Buffer.from(text)));
    expect(matcher.find(Buffer.from('abcdefg')).map(({ start, end, of }) => [start, end, of])).toEqual([
      [0, 6, 0],
      [1, 5, 1],
      [3, 7, 2],
    ]);
  });

  test('takes zeros for bytes and never for the end', () => {
    const matcher = matcherOf([Buffer.alloc(8)]);
    expect(matcher.find(Buffer.alloc(7))).toEqual([]);
    expect(matcher.find(Buffer.alloc(8))).toHaveLength(1);
    expect(matcher.undecided(Buffer.alloc(7))).toBe(7);
    expect(matcher.undecided(Buffer.alloc(3))).toBe(0);
  });

  test('without patterns finds nothing', () => {
    expect(matcherOf([]).find(Buffer.from('anything'))).toEqual([]);
    expect(matcherOf([]).undecided(Buffer.from('anything'))).toBe(0);
  });
});
