import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { compileWildcard, escapeWildcard, hasWildcard, matchesWildcard } from './wildcard.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const matches = (pattern: string, text: string): boolean => matchesWildcard(compileWildcard(pattern), text);

describe('matchesWildcard', () => {
  test.each([
    ['', ''],
    ['a', 'a'],
    ['*', ''],
    ['*', 'anything at all'],
    ['*', 'a/b'],
    ['?', 'a'],
    ['?', '\u{1f600}'],
    ['??', '\u{1f600}a'],
    ['a*', 'a'],
    ['a*', 'abc'],
    ['*a', 'a'],
    ['*a', 'cba'],
    ['a*c', 'ac'],
    ['a*c', 'abbbc'],
    ['a*b*c', 'a1b2c'],
    ['a*b*c', 'abbcbc'],
    ['*.env', '.env'],
    ['.env.*', '.env.local'],
    ['a?c', 'abc'],
    ['**', 'x'],
    ['***a', 'a'],
    ['\\*', '*'],
    ['\\?', '?'],
    ['\\\\', '\\'],
    ['a\\*b*', 'a*bc'],
    ['*\\*', 'x*'],
    ['a\\', 'a\\'],
    ['*\n*', 'a\nb'],
  ])('%j matches %j', (pattern, text) => {
    expect(matches(pattern, text)).toBe(true);
  });

  test.each([
    ['', 'a'],
    ['a', ''],
    ['a', 'A'],
    ['a', 'ab'],
    ['?', ''],
    ['?', 'ab'],
    ['a*', 'ba'],
    ['*a', 'ab'],
    ['a*c', 'ab'],
    ['a*b*c', 'acb'],
    ['.env.*', '.env'],
    ['.env.*', '.envx'],
    ['\\*', 'a'],
    ['\\?', 'a'],
    ['a\\*b*', 'axbc'],
    ['[ab]', 'a'],
    ['{a,b}', 'a'],
    ['a.c', 'abc'],
    ['(a|b)', 'a'],
  ])('%j does not match %j', (pattern, text) => {
    expect(matches(pattern, text)).toBe(false);
  });

  test('agrees with a regular expression built from the pattern', () => {
    const unit = fc.constantFrom('a', 'b', '*', '?', '.', '-');
    const patterns = fc.string({ unit, maxLength: 8 });
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '.', '-', '*'), maxLength: 10 });
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        const source = pattern
          .replaceAll(/[.\-\\]/g, '\\$&')
          .replaceAll('*', '.*')
          .replaceAll('?', '.');
        expect(matches(pattern, text)).toBe(new RegExp(`^${source}$`, 's').test(text));
      }),
      { numRuns: rounds(3000) },
    );
  });

  test('an escaped text matches itself and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (text, other) => {
        expect(matches(escapeWildcard(text), text)).toBe(true);
        expect(matches(escapeWildcard(text), other)).toBe(text === other);
        expect(hasWildcard(escapeWildcard(text))).toBe(false);
      }),
    );
  });

  test('a pattern made to explode does not', async () => {
    const pattern = compileWildcard(`${'*a'.repeat(200)}b`);
    expect(
      await growth((length) => expect(matchesWildcard(pattern, 'a'.repeat(length))).toBe(false), 20_000),
    ).toBeLessThan(linear);
  });
});

describe('compileWildcard', () => {
  test.each(['', 'a', 'a.b', 'a\\*b', '\\\\'])('%j has nothing to expand', (source) => {
    expect(compileWildcard(source).literal).toBeDefined();
  });

  test.each(['*', 'a?', '\\**'])('%j has', (source) => {
    expect(compileWildcard(source).literal).toBeUndefined();
  });

  test('a literal is the decoded text', () => {
    expect(compileWildcard('a\\*\\?\\\\').literal).toBe('a*?\\');
  });

  test('a megabyte compiles', () => {
    expect(compileWildcard('\\*'.repeat(500_000)).literal).toHaveLength(500_000);
  });
});
