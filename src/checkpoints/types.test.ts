import { describe, expect, test } from 'vitest';
import { compare, worthShowing } from './types.ts';
import { isEmpty, planRestore } from './restore/prepare.ts';
import { directory, file, symlink } from './testing/entries.ts';

describe('compare', () => {
  test.each([
    ['nothing', [file('a')], [file('a', { inode: 9n, changed: 9n })], []],
    ['a new file', [], [file('a')], [['a', 'added']]],
    ['a file that is gone', [file('a')], [], [['a', 'deleted']]],
    ['content', [file('a')], [file('a', { object: 'other' })], [['a', 'modified']]],
    ['a mode', [file('a')], [file('a', { mode: 0o755 })], [['a', 'metadata']]],
    ['an attribute', [file('a')], [file('a', { attributes: { 'user.x': '' } })], [['a', 'metadata']]],
    ['a kind', [file('a')], [symlink('a', 'b')], [['a', 'replaced']]],
    ['a target', [symlink('a', 'b')], [symlink('a', 'c')], [['a', 'modified']]],
    [
      'links that are separate now',
      [file('a', { inode: 1n }), file('b', { inode: 1n })],
      [file('a', { inode: 1n }), file('b', { inode: 2n })],
      [
        ['a', 'linked'],
        ['b', 'linked'],
      ],
    ],
    [
      'links that are the same, with another inode',
      [file('a', { inode: 1n }), file('b', { inode: 1n })],
      [file('a', { inode: 7n }), file('b', { inode: 7n })],
      [],
    ],
  ] as const)('finds %s', (...[, before, after, expected]) => {
    expect(compare(before, after).map(({ path, kind }) => [path, kind])).toEqual(expected);
  });

  test('a directory that is only newer is not worth showing', () => {
    const [newer, wider] = [directory('d', { modified: 9n }), directory('d', { mode: 0o777 })];
    expect(compare([directory('d')], [newer]).filter(worthShowing)).toEqual([]);
    expect(compare([directory('d')], [wider]).filter(worthShowing)).toHaveLength(1);
  });
});

describe('planRestore', () => {
  const paths = (entries: readonly { readonly path: string }[]): readonly string[] => entries.map(({ path }) => path);

  test('of equal trees is empty', () => {
    expect(isEmpty(planRestore([directory(''), file('a')], [directory(''), file('a')]))).toBe(true);
  });

  test('removes the deepest directory first, and makes the highest first', () => {
    const tree = [directory('d'), directory('d/e'), file('d/e/f')];
    const away = planRestore([directory(''), ...tree], [directory('')]);
    expect([paths(away.remove), paths(away.removeDirectories), paths(away.finish)]).toEqual([
      ['d/e/f'],
      ['d/e', 'd'],
      [''],
    ]);
    const back = planRestore([directory('')], [directory(''), ...tree]);
    expect([paths(back.makeDirectories), paths(back.install.map(({ entry }) => entry)), paths(back.finish)]).toEqual([
      ['d', 'd/e'],
      ['d/e/f'],
      ['d/e', 'd', ''],
    ]);
  });

  test('exchanges a file for another, but takes a directory away first, and makes one after the file is gone', () => {
    const [f, l] = [file('a'), symlink('a', 'x')];
    expect(planRestore([f], [l])).toMatchObject({ remove: [], install: [{ entry: l, replaces: f }] });
    const toFile = planRestore([directory('a'), file('a/b')], [f]);
    expect(toFile).toMatchObject({
      remove: [{ path: 'a/b' }],
      removeDirectories: [{ path: 'a' }],
      install: [{ entry: f }],
    });
    expect(toFile.install[0]?.replaces).toBeUndefined();
    expect(planRestore([f], [directory('a'), file('a/b')])).toMatchObject({
      remove: [f],
      makeDirectories: [{ path: 'a' }],
      install: [{ entry: { path: 'a/b' } }],
    });
  });

  test('makes one file of a group, and links the others to it', () => {
    const group = ['a', 'b', 'c'].map((path) => file(path, { inode: 5n }));
    const { install } = planRestore([file('a', { inode: 1n }), file('b', { inode: 2n })], group);
    expect(install.map(({ entry, linkTo, replaces }) => [entry.path, linkTo, replaces?.inode])).toEqual([
      ['a', undefined, 1n],
      ['b', 'a', 2n],
      ['c', 'a', undefined],
    ]);
  });

  test('only adjusts files with equal content', () => {
    const [live, wanted] = [file('a'), file('a', { modified: 9n })];
    expect(planRestore([live], [wanted])).toMatchObject({
      install: [],
      remove: [],
      adjust: [{ live, wanted }],
      finish: [],
    });
  });
});
