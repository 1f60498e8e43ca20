import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathIndex } from './path-index.ts';
import { isLiteralPattern, parsePathPattern, pathPatternOf } from './path-pattern.ts';
import { pathQuery, resolvePath, patternRoots } from './resolve-path.ts';

describe('parsePathPattern', () => {
  test.each([
    ['/abs', 'root', ['abs']],
    ['/', 'root', []],
    ['/a/b/', 'root', ['a', 'b']],
    ['//a//b', 'root', ['a', 'b']],
    ['/a/./b', 'root', ['a', 'b']],
    ['~', 'home', []],
    ['~/', 'home', []],
    ['~/.ssh', 'home', ['.ssh']],
    ['.', 'workspace', []],
    ['./', 'workspace', []],
    ['./src', 'workspace', ['src']],
    ['src/main.ts', 'workspace', ['src', 'main.ts']],
    ['src/*.ts', 'workspace', ['src', '*.ts']],
    ['src/**', 'workspace', ['src', '**']],
    ['src/**/x', 'workspace', ['src', '**', 'x']],
    ['**/.env', 'anywhere', ['.env']],
    ['**/.git/hooks', 'anywhere', ['.git', 'hooks']],
    ['**/a/**/b', 'anywhere', ['a', '**', 'b']],
    ['/a/**', 'root', ['a', '**']],
    ['~/a\\*b', 'home', ['a\\*b']],
    ['\\~', 'workspace', ['\\~']],
    ['a b/c d', 'workspace', ['a b', 'c d']],
    ['...', 'workspace', ['...']],
    ['a..b', 'workspace', ['a..b']],
    ['\u00fcber/\u6587', 'workspace', ['\u00fcber', '\u6587']],
    ['a$b', 'workspace', ['a$b']],
    ['[x]', 'workspace', ['[x]']],
  ])('%j', (source, anchor, components) => {
    expect(parsePathPattern(source)).toMatchObject({ kind: 'path', source, anchor, components });
  });

  test.each([
    ['', 'an empty path matches nothing'],
    ['   ', 'an empty path matches nothing'],
    ['..', '".." climbs with ".."'],
    ['../x', '"../x" climbs with ".."'],
    ['/a/../b', '"/a/../b" climbs with ".."'],
    ['~/..', '"~/.." climbs with ".."'],
    ['a/..', '"a/.." climbs with ".."'],
    ['**/..', '"**/.." climbs with ".."'],
    ['a\0b', '"a\\u0000b" holds a control character'],
    ['a\nb', '"a\\nb" holds a control character'],
    ['a\u001bb', '"a\\u001bb" holds a control character'],
    ['a\ud800', '"a\\ud800" holds a control character'],
    ['~root/x', `"~root/x" names another user's home`],
    ['~x', `"~x" names another user's home`],
    ['$HOME/x', '"$HOME/x" holds a variable, which is not expanded'],
    ['{a,b}', '"{a,b}" holds a brace, which is not expanded'],
    ['src/{a,b}/x', '"src/{a,b}/x" holds a brace, which is not expanded'],
    ['a\\b', '"a\\b" escapes a character that needs none'],
    ['a\\', '"a\\" escapes a character that needs none'],
    ['C:\\x', '"C:\\x" escapes a character that needs none'],
    ['a**', '"a**" joins "**" to other characters'],
    ['**a', '"**a" joins "**" to other characters'],
    ['/a/b**/c', '"/a/b**/c" joins "**" to other characters'],
    ['**', '"**" names nothing'],
    ['**/', '"**/" names nothing'],
    ['**/.', '"**/." names nothing'],
  ])('%j is refused', (source, message) => {
    expect(parsePathPattern(source)).toMatchObject({ kind: 'problem', message });
  });

  test('a pattern longer than any path is refused', () => {
    expect(parsePathPattern('a'.repeat(5000))).toMatchObject({
      kind: 'problem',
      message: 'a path of 5000 characters is too long',
    });
  });

  test('every refusal names the right form', () => {
    for (const source of ['', '..', 'a\0', '~x', '$X', '{', 'a\\', '**a', '**']) {
      expect(parsePathPattern(source)).toHaveProperty('remedy', expect.stringMatching(/\w/));
    }
  });

  test('any text is a pattern or a problem', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (source) => {
        expect(['path', 'problem']).toContain(parsePathPattern(source).kind);
      }),
    );
  });
});

describe('pathPatternOf', () => {
  const roots = patternRoots({ home: '/h', workspace: '/w' });
  const name = fc
    .string({
      unit: fc.constantFrom('a', 'b', '*', '?', '\\', '{', '}', '~', ' ', '.', '$', '[', '"', "'", '\u00e9'),
      minLength: 1,
      maxLength: 5,
    })
    .filter((text) => !/^\.+$/.test(text) && text.trim() !== '');

  test('is the pattern of exactly that path', () => {
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 4 }),
        fc.array(name, { minLength: 1, maxLength: 4 }),
        (components, others) => {
          const pattern = parsePathPattern(pathPatternOf(`/${components.join('/')}`));
          if (pattern.kind === 'problem') throw new Error(pattern.message);
          expect(isLiteralPattern(pattern)).toBe(true);
          const index = pathIndex([
            { pattern: resolvePath(pattern, roots, 'exact'), order: 0, operations: 1, above: 0, value: true },
          ]);
          expect(index.first(pathQuery(components, 1))?.value).toBe(true);
          const isBelow = components.every((component, at) => component === others[at]);
          expect(index.first(pathQuery(others, 1))?.value ?? false).toBe(isBelow);
        },
      ),
    );
  });
});

describe('isLiteralPattern', () => {
  test.each([
    ['/a/b', true],
    ['~', true],
    ['a\\*', true],
    ['a*', false],
    ['a/**', false],
    ['**/a', false],
    ['a?', false],
  ])('%j: %j', (source, expected) => {
    const pattern = parsePathPattern(source);
    expect(pattern.kind === 'path' && isLiteralPattern(pattern)).toBe(expected);
  });
});
