import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { Word } from '../types.ts';
import { absoluteIn, pathEffect } from './paths.ts';

const place = { cwd: '/srv/project', home: '/home/dev' };
const span = { start: 0, end: 0 };
const how = { use: 'read', scope: 'file' } as const;

test.each([
  ['a', '/srv/project/a'],
  ['./a/', '/srv/project/a'],
  ['.', '/srv/project'],
  ['..', '/srv'],
  ['../../../..', '/'],
  ['/', '/'],
  ['//', '/'],
  ['//etc//passwd', '/etc/passwd'],
  ['/a/../b/.', '/b'],
  ['a\nb', '/srv/project/a\nb'],
  ['~', '/srv/project/~'],
  ['', '/srv/project'],
])('%j', (path, expected) => {
  expect(absoluteIn(path, place)).toBe(expected);
});

test('a path with a NUL is none', () => {
  expect(absoluteIn('a\0b', place)).toBeUndefined();
});

test.each(['a', '.', '..'])('in an unknown directory %j is unknown', (path) => {
  expect(absoluteIn(path, { ...place, cwd: 'unknown' })).toBeUndefined();
});

test('in an unknown directory an absolute path is known', () => {
  expect(absoluteIn('/a', { ...place, cwd: 'unknown' })).toBe('/a');
});

describe('words', () => {
  test.each<readonly [Word, string | undefined, string]>([
    [{ kind: 'static', value: 'a', span }, '/srv/project/a', 'a'],
    [{ kind: 'static', value: '', lead: 'home', span }, '/home/dev', '~'],
    [{ kind: 'static', value: '/.ssh', lead: 'home', span }, '/home/dev/.ssh', '~/.ssh'],
    [{ kind: 'dynamic', text: '$x', because: 'expansion', span }, undefined, '$x'],
  ])('%j', (word, path, text) => {
    expect(pathEffect(word, place, how)).toEqual({ use: 'read', scope: 'file', path, text });
  });

  test.each<readonly [string, string, string | undefined]>([
    ['*.ts', '', '/srv/project'],
    ['src/*.ts', 'src/', '/srv/project/src'],
    ['src/a*', 'src/a', '/srv/project/src'],
    ['/etc/p*', '/etc/p', '/etc'],
    ['/*', '/', '/'],
    ['../*', '../', '/srv'],
    ['~/a/*', '~/a/', '/home/dev/a'],
    ['~/*', '~/', '/home/dev'],
    ['~root/*', '~root/', undefined],
    ["'~'/*", '~/', '/srv/project/~'],
    ['src/*/../../../etc', 'src/', undefined],
    ['src/*/..', 'src/', undefined],
    ['src/*/\\../x', 'src/', undefined],
    ["src/*/'..'/x", 'src/', undefined],
    ['src/*..ts', 'src/', '/srv/project/src'],
  ])('pattern %s is below %s', (text, prefix, path) => {
    expect(pathEffect({ kind: 'glob', text, prefix, span }, place, how)).toEqual({
      use: 'read',
      scope: 'tree',
      path,
      text,
    });
  });
});

test('every path is absolute, normalised and without a slash at the end', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '.', '/', '~', ' ') }), (text) => {
      const path = absoluteIn(text, place) ?? '/';
      expect(path.startsWith('/')).toBe(true);
      expect(path === '/' || !path.endsWith('/')).toBe(true);
      expect(path.split('/').some((part) => part === '..' || part === '.')).toBe(false);
      expect(path).not.toContain('//');
    }),
  );
});
