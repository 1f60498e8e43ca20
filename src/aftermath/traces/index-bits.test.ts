import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { git, plant, scratchDirectory } from '../../place/testing/scratch.ts';
import { baseOfSplit, hidingEntries } from './index-bits.ts';

test.each([
  ['2', 'sha1'],
  ['3', 'sha1'],
  ['4', 'sha1'],
  ['2', 'sha256'],
  ['4', 'sha256'],
])('the entries of an index of version %s with %s are those that git shows', (version, format) => {
  const root = scratchDirectory();
  git(root, 'init', '-q', `--object-format=${format}`);
  const names = ['a', 'b/c', 'b/c d', 'b/cé', `long/${'x'.repeat(200)}`, 'z'];
  plant(root, Object.fromEntries(names.map((name) => [name, name])));
  git(root, 'add', '.');
  git(root, 'update-index', '--index-version', version);
  git(root, 'update-index', '--assume-unchanged', 'b/c', 'z');
  git(root, 'update-index', '--skip-worktree', 'a', `long/${'x'.repeat(200)}`);
  const index = readFileSync(join(root, '.git/index'));
  expect(Object.fromEntries(hidingEntries(index, format === 'sha1' ? 20 : 32))).toEqual({
    a: 'skip-worktree',
    'b/c': 'assume-unchanged',
    [`long/${'x'.repeat(200)}`]: 'skip-worktree',
    z: 'assume-unchanged',
  });
});

/** Attack: `git update-index --split-index` moves the entries into another file. */
test.each(['sha1', 'sha256'])('a split index with %s tells which shared one it builds on', (format) => {
  const root = scratchDirectory();
  git(root, 'init', '-q', `--object-format=${format}`);
  plant(root, { a: 'a', b: 'b' });
  git(root, 'add', '.');
  const hashBytes = format === 'sha1' ? 20 : 32;
  expect(baseOfSplit(readFileSync(join(root, '.git/index')), hashBytes)).toBeUndefined();
  git(root, 'update-index', '--assume-unchanged', 'b');
  git(root, 'update-index', '--split-index');
  const base = baseOfSplit(readFileSync(join(root, '.git/index')), hashBytes);
  const shared = readFileSync(join(root, `.git/sharedindex.${base}`));
  expect(Object.fromEntries(hidingEntries(shared, hashBytes))).toEqual({ b: 'assume-unchanged' });
});

test('an index without such entries has none, and any bytes are read', () => {
  const root = scratchDirectory();
  git(root, 'init', '-q');
  plant(root, { a: 'a' });
  git(root, 'add', '.');
  git(root, 'add', '-N', '.');
  appendFileSync(join(root, '.git/index'), 'more');
  const index = readFileSync(join(root, '.git/index'));
  expect(hidingEntries(index, 20).size).toBe(0);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(index.length), (bytes, at) => {
      hidingEntries(Buffer.concat([index.subarray(0, at), bytes]), 20);
      hidingEntries(Buffer.concat([Buffer.from('DIRC\0\0\0\x04\xff\xff\xff\xff', 'latin1'), bytes]), 32);
    }),
  );
});
