import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { normalisePath, pathComponents } from './path.ts';

describe('normalisePath', () => {
  test.each([
    ['/', '/'],
    ['/a', '/a'],
    ['/a/', '/a'],
    ['//a', '/a'],
    ['///a///b//', '/a/b'],
    ['/a/./b', '/a/b'],
    ['/./a', '/a'],
    ['/a/.', '/a'],
    ['/a/../b', '/b'],
    ['/a/..', '/'],
    ['/..', '/'],
    ['/../..', '/'],
    ['/../etc/passwd', '/etc/passwd'],
    ['/a/b/../../c', '/c'],
    ['/a/b/../../../../c', '/c'],
    ['/a/...', '/a/...'],
    ['/a/..b', '/a/..b'],
    ['/a/.b', '/a/.b'],
    ['/a b', '/a b'],
    ['/a\nb', '/a\nb'],
    ['/a\u001b[31mb', '/a\u001b[31mb'],
    ['/\u00e9', '/\u00e9'],
    ['/e\u0301', '/e\u0301'],
    ['/\u{1f600}', '/\u{1f600}'],
    ['/a\\..\\b', '/a\\..\\b'],
    ['/~/x', '/~/x'],
  ])('%j is %j', (path, expected) => {
    expect(normalisePath(path)).toBe(expected);
  });

  test.each([
    ['empty', ''],
    ['relative', 'a/b'],
    ['home', '~/x'],
    ['dot', '.'],
    ['NUL inside', '/a\0b'],
    ['NUL at the end', '/a\0'],
    ['a lone high surrogate', '/a\ud800'],
    ['a lone low surrogate', '/\udc00a'],
    ['swapped surrogates', '/\udc00\ud800'],
    ['over-long', `/${'a'.repeat(40_000)}`],
    ['Windows', 'C:\\x'],
  ])('refuses a path that is %s', (_, path) => {
    expect(normalisePath(path)).toBeUndefined();
  });

  test('is idempotent, absolute, and free of dot segments, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const once = normalisePath(`/${text}`);
        if (once === undefined) return;
        expect(normalisePath(once)).toBe(once);
        expect(once.startsWith('/')).toBe(true);
        const components = once.slice(1).split('/');
        expect(components.some((component) => component === '.' || component === '..')).toBe(false);
        expect(once).not.toContain('//');
        expect(once).not.toContain('\0');
      }),
    );
  });

  test('agrees with the components', () => {
    const part = fc.constantFrom('a', 'b', '.', '..', '', 'x y', '\n', '...');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const path = `/${parts.join('/')}`;
        expect(normalisePath(path)).toBe(`/${(pathComponents(path) ?? []).join('/')}`);
      }),
    );
  });

  test('a doubled slash or a dot never changes the meaning', () => {
    const name = fc.constantFrom('a', 'bc', '.d', 'e f');
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('/', '//', '/./', '/x/../'),
        (names, separator) => {
          expect(normalisePath(`/${names.join(separator)}`)).toBe(`/${names.join('/')}`);
        },
      ),
    );
  });

  test('ten megabytes are refused at once', () => {
    const path = '/a'.repeat(5_000_000);
    expect(atMost(20, () => normalisePath(path))).toBeUndefined();
  });
});

test('the root has no components', () => {
  expect(pathComponents('/')).toEqual([]);
  expect(pathComponents('/a/b')).toEqual(['a', 'b']);
});
