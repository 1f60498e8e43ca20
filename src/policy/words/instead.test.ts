import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePathPattern } from '../patterns/path-pattern.ts';
import { pathQuery } from '../patterns/path-entry.ts';
import { pathIndex } from '../patterns/path-index.ts';
import { resolvePath, rootsOf } from '../patterns/resolve-path.ts';
import { places } from '../testing/policies.ts';
import { grantInstead, refusalInstead, searchedNames } from './instead.ts';

describe('searchedNames', () => {
  test.each<[string, readonly string[]]>([
    ['**/secrets', ['secrets']],
    ['**/secrets/*.key', ['secrets', '*.key']],
    ['**/generated/**', ['generated']],
    ['**/*', ['*']],
    ['**/a/b/c/d/e/f/g/h', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
    ['**/\\{x\\}', ['{x}']],
    ['**/a\\*b', ['a?b']],
    ['**/a\\?b', ['a?b']],
    ['**/a\\\\b', ['a\\b']],
  ])('%s is looked for as %j', (source, components) => {
    expect(searchedNames(source)).toEqual(components);
  });

  test.each([
    '~/x/*.key',
    'src/*.key',
    '/srv/*/x',
    '**/a/**/b',
    '**/**',
    '**/',
    '**',
    'secrets',
    '**/a/b/c/d/e/f/g/h/i',
  ])('%s cannot be looked for', (source) => {
    expect(searchedNames(source)).toBeUndefined();
  });
});

describe('refusalInstead', () => {
  test.each([
    ['~/x/*.key', '**/x/*.key'],
    ['~/*.key', '**/*.key'],
    ['*.key', '**/*.key'],
    ['src/*.key', '**/src/*.key'],
    ['./src/*/x', '**/src/*/x'],
    ['/srv/a/b/*.key', '**/b/*.key'],
    ['/*.key', '**/*.key'],
    ['~/x/**/*.key', '**/*.key'],
    ['**/a/**/b/c', '**/b/c'],
    ['~/x/*/**', '**/x/*'],
    ['~/x/**', '~/x'],
    ['**/**', '/'],
    ['/srv/**', '/srv'],
    ['**/a/b/c/d/e/f/g/h/i', '**/b/c/d/e/f/g/h/i'],
  ])('%s → %s', (source, instead) => {
    expect(refusalInstead(source)).toBe(instead);
  });

  const component = fc.constantFrom('a', 'b', '*', '*.key', 'x?', '**', '\\*', 'a\\?');
  const wild = fc
    .tuple(fc.constantFrom('/srv/', '~/', '', '**/'), fc.array(component, { minLength: 1, maxLength: 11 }))
    .map(([start, rest]) => `${start}${rest.join('/')}`)
    .filter((source) => source !== '**' && /(?<!\\)[*?]/u.test(source));

  test('can be held, and covers all that the pattern means', () => {
    const roots = rootsOf(places);
    const resolve = (source: string) => resolvePath(known(source), roots, 'folded');
    const covers = (source: string, components: readonly string[]) =>
      pathIndex([{ pattern: resolve(source), order: 0, operations: 1, above: 0, value: true }]).first(
        pathQuery(components, 1),
      ) !== undefined;
    const path = fc
      .tuple(
        fc.constantFrom<readonly string[]>(['srv'], roots.homeComponents, roots.workspaceComponents, []),
        fc.array(fc.constantFrom('a', 'b', 'x1', 'k.key', '*', 'a?', 'z'), { maxLength: 12 }),
      )
      .map(([start, rest]) => [...start, ...rest]);
    fc.assert(
      fc.property(wild, path, (source, components) => {
        const instead = refusalInstead(source);
        expect(searchedNames(instead) !== undefined || !/(?<!\\)[*?]/u.test(instead), `${source} → ${instead}`).toBe(
          true,
        );
        if (covers(source, components)) expect(covers(instead, components), `${source} → ${instead}`).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('grantInstead', () => {
  test.each([
    ['~/data/*.csv', '"~/data" for the directory'],
    ['src/*', '"src" for the directory'],
    ['*.csv', '"." for the directory'],
    ['/srv/a/**/b', '"/srv/a" for the directory'],
  ])('%s: write %s', (source, words) => {
    expect(grantInstead(source)).toContain(words);
  });

  test.each(['~/*.csv', '/*', '/*/x', '**/docs', '**'])(
    '%s: no directory stands for it that anyone should grant',
    (source) => {
      expect(grantInstead(source)).toMatch(/^name each path/u);
    },
  );
});

function known(source: string) {
  const pattern = parsePathPattern(source);
  if (pattern.kind === 'problem') throw new Error(`${source}: ${pattern.message}`);
  return pattern;
}
