import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { matchesSegments, pathIndex } from './path-index.ts';
import { parsePathPattern } from './path-pattern.ts';
import { type Letters, type PathEntry, pathQuery, resolvePath, patternRoots } from './resolve-path.ts';
import { foldName } from './wildcard.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const roots = patternRoots({ home: '/home/dev', workspace: '/w/app' });

function entry(
  source: string,
  overrides: Partial<PathEntry<string>> & { readonly letters?: Letters } = {},
): PathEntry<string> {
  const { letters = 'exact', ...rest } = overrides;
  const pattern = parsePathPattern(source);
  if (pattern.kind === 'problem') throw new Error(pattern.message);
  return { pattern: resolvePath(pattern, roots, letters), order: 0, operations: 1, above: 0, value: source, ...rest };
}

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');

function first(entries: readonly PathEntry<string>[], path: string, operations = 1): string | undefined {
  return pathIndex(entries).first(pathQuery(partsOf(path), operations))?.value;
}

describe('matches of a pattern', () => {
  test.each([
    ['/', '/'],
    ['/', '/a/b'],
    ['/a', '/a'],
    ['/a', '/a/b/c'],
    ['/a/b', '/a/b/c'],
    ['~', '/home/dev/x'],
    ['~/.ssh', '/home/dev/.ssh/id'],
    ['.', '/w/app'],
    ['.', '/w/app/src/x'],
    ['src', '/w/app/src/a/b'],
    ['src/*.ts', '/w/app/src/a.ts'],
    ['src/*.ts', '/w/app/src/a.ts/beneath'],
    ['src/*', '/w/app/src/a/b/c'],
    ['src/?', '/w/app/src/a'],
    ['src/**', '/w/app/src/a'],
    ['src/**', '/w/app/src/a/b/c'],
    ['src/**/x', '/w/app/src/x'],
    ['src/**/x', '/w/app/src/a/x'],
    ['src/**/x', '/w/app/src/a/b/x/y'],
    ['src/**/x/*.ts', '/w/app/src/x/x/a.ts'],
    ['src/**/a/**/b', '/w/app/src/a/b'],
    ['src/**/a/**/b', '/w/app/src/1/a/2/3/b'],
    ['**/.env', '/.env'],
    ['**/.env', '/w/app/.env'],
    ['**/.env', '/w/app/.env/inside'],
    ['**/a/b', '/x/a/b'],
    ['**/a/b', '/a/a/b/c'],
    ['**/a/**/b', '/x/a/y/z/b'],
    ['**/*.pem', '/x/y.pem'],
    ['**/.env.*', '/x/.env.local'],
    ['**/*', '/x'],
    ['/a/*/c', '/a/b/c'],
    ['/a/*/c', '/a/b/c/d'],
    ['/*/b', '/a/b'],
    ['/a/b*/*c', '/a/bx/xc'],
    ['/a/\\*', '/a/*'],
    ['~/a\\?b', '/home/dev/a?b'],
  ])('%j matches %j', (source, path) => {
    expect(first([entry(source)], path)).toBe(source);
  });

  test.each([
    ['/a', '/'],
    ['/a', '/ab'],
    ['/a', '/b/a'],
    ['/a', '/A'],
    ['/a/b', '/a'],
    ['~', '/home/devil'],
    ['~', '/home'],
    ['.', '/w'],
    ['.', '/w/apple'],
    ['src', '/w/app/srcs'],
    ['src/*.ts', '/w/app/src/a/b.ts'],
    ['src/*.ts', '/w/app/src'],
    ['src/**', '/w/app/src'],
    ['src/**/x', '/w/app/src'],
    ['src/**/x', '/w/app/src/y'],
    ['**/.env', '/w/app/x.env'],
    ['**/.env', '/w/app/.envs'],
    ['**/a/b', '/a/x/b'],
    ['**/a/b', '/a'],
    ['**/*.pem', '/x/pem'],
    ['**/.env.*', '/x/.env'],
    ['/a/*/c', '/a/c'],
    ['/a/*/c', '/a/b/d'],
    ['/a/\\*', '/a/b'],
    ['**/Abc', '/x/abc'],
  ])('%j does not match %j', (source, path) => {
    expect(first([entry(source)], path)).toBeUndefined();
  });

  test('folded names match in any case, and as case-insensitive file systems fold', () => {
    for (const path of ['/w/.GIT/HOOKS', '/w/.Git/hooks/x', '/w/.git/hoo\u212as', '/w/.git/hook\u017f']) {
      expect(first([entry('**/.git/hooks', { letters: 'folded' })], path)).toBe('**/.git/hooks');
      expect(first([entry('**/.git/hooks')], path)).toBeUndefined();
    }
    expect(first([entry('**/\u212aey', { letters: 'folded' })], '/x/key')).toBeDefined();
    expect(first([entry('**/A*', { letters: 'folded' })], '/x/abc')).toBeDefined();
  });

  test('subtrees are compared letter by letter even where names are folded', () => {
    expect(first([entry('/A/b', { letters: 'folded' })], '/a/B')).toBeUndefined();
  });
});

describe('which of several', () => {
  test('the lowest order wins, wherever it is found', () => {
    const entries = [
      entry('/a', { order: 3, value: 'a' }),
      entry('/a/b', { order: 2, value: 'b' }),
      entry('**/b', { order: 1, value: 'name' }),
      entry('/a/*', { order: 4, value: 'glob' }),
    ];
    expect(first(entries, '/a')).toBe('a');
    expect(first(entries, '/a/x')).toBe('a');
    expect(first(entries, '/a/b')).toBe('name');
    expect(first([entry('/a', { order: 1, value: 'a' }), ...entries.slice(1)], '/a/b')).toMatch(/^(?:a|name)$/);
    expect(first(entries.slice(0, 2), '/a/b/c')).toBe('b');
  });

  test('only entries for the operation count', () => {
    const entries = [
      entry('/a', { order: 0, operations: 2, value: 'two' }),
      entry('/a', { order: 1, operations: 1, value: 'one' }),
      entry('**/a', { order: 2, operations: 4, value: 'four' }),
    ];
    expect(first(entries, '/a', 1)).toBe('one');
    expect(first(entries, '/a', 2)).toBe('two');
    expect(first(entries, '/a', 4)).toBe('four');
    expect(first(entries, '/a', 8)).toBeUndefined();
    expect(first(entries, '/a', 3)).toBe('two');
  });

  test('an empty index matches nothing', () => {
    expect(first([], '/a')).toBeUndefined();
    expect(first([], '/')).toBeUndefined();
  });
});

describe('paths above', () => {
  const deleting = 8;

  test.each([
    ['/a/b/c', '/a/b'],
    ['/a/b/c', '/a'],
    ['/a/b/*.ts', '/a/b'],
    ['/a/*/c', '/a'],
    ['/a/*/c', '/a/x'],
    ['**/.git/hooks', '/w/.git'],
    ['**/a/b/c', '/x/y/a/b'],
  ])('%j also answers on %j', (source, path) => {
    const entries = [entry(source, { operations: 1 | deleting, above: deleting })];
    expect(first(entries, path, deleting)).toBe(source);
    expect(first(entries, path, 1)).toBeUndefined();
    expect(first([entry(source, { operations: 1 | deleting })], path, deleting)).toBeUndefined();
  });

  test.each([
    ['/a/b/c', '/a/x'],
    ['/a/b/c', '/b'],
    ['**/.git/hooks', '/w/.gitx'],
    ['**/.git/hooks', '/w/.git/objects'],
    ['**/.git/hooks', '/w'],
  ])('%j does not answer on %j', (source, path) => {
    expect(first([entry(source, { operations: deleting, above: deleting })], path, deleting)).toBeUndefined();
  });
});

describe('names', () => {
  test('exceptions are names that are not meant', () => {
    const entries = [entry('**/.env.*', { letters: 'folded', exceptions: ['.env.example'] })];
    expect(first(entries, '/w/.env.local')).toBeDefined();
    expect(first(entries, '/w/.env.example')).toBeUndefined();
    expect(first(entries, '/w/.ENV.Example')).toBeUndefined();
    expect(first(entries, '/w/.env.example.bak')).toBeDefined();
    expect(first(entries, '/w/.env.example/.env.local')).toBeDefined();
  });

  test('outside packages means above every node_modules', () => {
    const entries = [entry('**/.vscode', { scope: 'outside-packages' })];
    expect(first(entries, '/w/.vscode/settings.json')).toBeDefined();
    expect(first(entries, '/w/node_modules/x/.vscode')).toBeUndefined();
    expect(first(entries, '/w/.vscode/node_modules/x')).toBeDefined();
  });

  test('itself leaves alone what lies beneath', () => {
    const entries = [entry('**/.git', { depth: 'itself' })];
    expect(first(entries, '/w/.git')).toBeDefined();
    expect(first(entries, '/w/.git/objects')).toBeUndefined();
    expect(first(entries, '/w/.git/x/.git')).toBeDefined();
  });

  test('a name of one character is found', () => {
    expect(first([entry('**/a')], '/x/a')).toBeDefined();
    expect(first([entry('**/a')], '/x/ab')).toBeUndefined();
    expect(first([entry('**/?')], '/x')).toBeDefined();
    expect(first([entry('**/a*')], '/a')).toBeDefined();
  });

  test.each(['.\u017fsh', '.S\u017fH', '.\u017f\u017fh'])('%j does not slip past the filter', (name) => {
    expect(first([entry('**/.ssh', { letters: 'folded' })], `/w/${name}`)).toBeDefined();
  });
});

describe('against a plain reading of the patterns', () => {
  const name = fc.constantFrom('a', 'b', 'ab', '.a', 'A', 'a.b', 'B.a');
  const component = fc.oneof({ weight: 4, arbitrary: name }, fc.constantFrom('*', 'a*', '*b', '?', '*.b', '**', '.?'));
  const source = fc
    .tuple(fc.constantFrom('/', '', '~/', '**/'), fc.array(component, { minLength: 1, maxLength: 4 }))
    .map(([start, parts]) => start + parts.join('/'));
  const path = fc
    .tuple(fc.constantFrom('/', '/w/app/', '/home/dev/'), fc.array(name, { maxLength: 5 }))
    .map(([start, parts]) => start + parts.join('/'));

  test('the index finds what looking at every pattern in turn finds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(source, fc.constantFrom<Letters>('exact', 'folded')), { maxLength: 8 }),
        path,
        (sources, target) => {
          const entries = sources.flatMap(([text, letters], order) => {
            const pattern = parsePathPattern(text);
            return pattern.kind === 'problem'
              ? []
              : [{ pattern: resolvePath(pattern, roots, letters), order, operations: 1, above: 0, value: text }];
          });
          const components = partsOf(target);
          const found = pathIndex(entries).first(pathQuery(components, 1));
          expect(found?.order).toBe(entries.find((candidate) => plainlyMatches(candidate, components))?.order);
        },
      ),
      { numRuns: rounds(3000) },
    );
  });

  /** Tries every start and every pattern: slow and obvious. */
  function plainlyMatches({ pattern }: PathEntry<string>, components: readonly string[]): boolean {
    switch (pattern.kind) {
      case 'subtree':
        return pattern.base.every((part, index) => components[index] === part);
      case 'glob':
        return (
          pattern.base.every((part, index) => components[index] === part) &&
          matchesSegments(pattern.rest, components, pattern.base.length)
        );
      case 'name': {
        const names = pattern.letters === 'folded' ? components.map(foldName) : components;
        return names.some((_, start) => matchesSegments(pattern.chain, names, start));
      }
    }
  }
});

describe('a lookup among many patterns', () => {
  test('reads as few of them as one among few', () => {
    expect(readAmong(10_000)).toEqual(readAmong(100));
  });

  test('reads one of them, where they lie beside each other', () => {
    expect(readAmong(10_000)).toBeLessThan(20);
  });

  /** Number of reads that a look-up makes on this many patterns. */
  function readAmong(length: number): number {
    let reads = 0;
    const entries = Array.from({ length }, (_, order) => entry(`/srv/d${order % 100}/x${order}/*/y`, { order }));
    const index = pathIndex(entries.map((each) => watched(each, () => (reads += 1))));
    reads = 0;
    expect(index.first(pathQuery(['srv', 'd7', 'x7', 'q', 'y'], 1))?.order).toBe(7);
    return reads;
  }

  /** A proxy of `value` that reports every read of a property. */
  function watched<Value extends object>(value: Value, read: () => void): Value {
    return new Proxy(value, {
      get: (target, key): unknown => {
        read();
        const found: unknown = Reflect.get(target, key);
        return typeof found === 'object' && found !== null ? watched(found, read) : found;
      },
    });
  }
});

test('a hostile path takes linear time', async () => {
  const index = pathIndex([entry(`/deep/${'*/**/'.repeat(40)}z`)]);
  const lookUp = (length: number): void =>
    expect(index.first(pathQuery(['deep', ...Array<string>(length).fill('a')], 1))).toBeUndefined();
  expect(await growth(lookUp, 2000)).toBeLessThan(linear);
});
