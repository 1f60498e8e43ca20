import { describe, expect, test } from 'vitest';
import { absoluteGrants } from './grants.ts';

const places = { cwd: '/home/me/app/src', home: '/home/me' };
const reading = (path: string) => absoluteGrants({ read: [path] }, places).read;

describe('absoluteGrants', () => {
  test.each([
    ['/srv/data', '/srv/data'],
    ['/srv//data/', '/srv/data'],
    ['data', '/home/me/app/src/data'],
    ['.', '/home/me/app/src'],
    ['../other', '/home/me/app/other'],
    ['~', '/home/me'],
    ['~/data', '/home/me/data'],
    ['./~', '/home/me/app/src/~'],
    ['~backup', '/home/me/app/src/~backup'],
    ['$HOME', '/home/me/app/src/$HOME'],
    ['*.csv', '/home/me/app/src/*.csv'],
    ['**/x', '/home/me/app/src/**/x'],
    ['a{b,c}', '/home/me/app/src/a{b,c}'],
    ['a\\b', '/home/me/app/src/a\\b'],
    ['-x', '/home/me/app/src/-x'],
    [' ', '/home/me/app/src/ '],
  ])('%j means %s', (path, absolute) => {
    expect(reading(path)).toEqual([absolute]);
  });

  test('does the same for every kind of path, and leaves the rest alone', () => {
    expect(
      absoluteGrants(
        { read: ['a'], write: ['b'], sockets: ['c', '@d', '~/e'], hosts: ['f'], environment: ['g'] },
        places,
      ),
    ).toEqual({
      read: ['/home/me/app/src/a'],
      write: ['/home/me/app/src/b'],
      sockets: ['/home/me/app/src/c', '@d', '/home/me/e'],
      hosts: ['f'],
      environment: ['g'],
    });
    expect(absoluteGrants({}, places)).toEqual({});
  });

  test.each([
    ['read', '--read'],
    ['write', '--write'],
    ['sockets', '--socket'],
  ] as const)('an empty %s is not the working directory', (list, flag) => {
    expect(() => absoluteGrants({ [list]: [''] }, places)).toThrow(
      expect.objectContaining({ code: 'HF_USAGE', message: expect.stringContaining(flag) }),
    );
  });

  test.each(['a\nb', 'a\0b', '\u001B[2J', 'caf\uFFFD', '\uD800'])('%j is a path that no policy can name', (path) => {
    expect(() => reading(path)).toThrow(
      expect.objectContaining({
        code: 'HF_PATH_UNREPRESENTABLE',
        remedy: expect.stringContaining('directory around it'),
      }),
    );
  });
});
