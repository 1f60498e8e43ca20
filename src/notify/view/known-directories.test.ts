import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { knownDirectories } from './known-directories.ts';

function setting(now: () => number = () => 0) {
  const directory = mkdtempSync('/var/tmp/holdfast-known-');
  const root = openSync('/', 'r');
  onTestFinished(() => {
    closeSync(root);
    rmSync(directory, { recursive: true });
  });
  const known = knownDirectories({ root, now });
  const see = (count: number): void => {
    for (let index = 0; index < count; index += 1) known.seen(join(directory, `f${index}`));
  };
  const isReal = (path: string): boolean => known.isReal(dirname(path), basename(path));
  return { directory, known, see, isReal };
}

test('a directory of which a few files were opened is looked through: all but its symlinks are known', () => {
  const { directory, known, see, isReal } = setting();
  writeFileSync(join(directory, 'f0'), '');
  symlinkSync('f0', join(directory, 'link'));
  symlinkSync('nowhere', join(directory, 'd\u00e4ngling'));
  see(2);
  expect(isReal(join(directory, 'f0'))).toBe(false);
  see(1);
  const bytes = Buffer.from('d\u00e4ngling').toString('latin1');
  expect(['f0', 'absent', 'link', bytes].map((name) => known.isReal(directory, name))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(['', '.', '..'].map((name) => known.isReal(directory, name))).toEqual([false, false, false]);
  expect(isReal(`${directory}/link/f0`)).toBe(false);
});

test('what it knows holds for a quarter of a second, and until something changes', () => {
  let now = 1000;
  const { directory, known, see, isReal } = setting(() => now);
  see(3);
  now += 249;
  expect(isReal(join(directory, 'x'))).toBe(true);
  now += 1;
  expect(isReal(join(directory, 'x'))).toBe(false);
  see(3);
  expect(isReal(join(directory, 'x'))).toBe(true);
  known.forget();
  expect(isReal(join(directory, 'x'))).toBe(false);
});

test('a large directory is read when that is worth it, and a very large one never', () => {
  const { directory, known, see, isReal } = setting();
  for (let index = 0; index < 500; index += 1) writeFileSync(join(directory, `name-of-a-file-${index}`), '');
  see(23);
  expect(isReal(join(directory, 'x'))).toBe(false);
  see(1);
  expect(isReal(join(directory, 'x'))).toBe(true);
  known.forget();
  for (let index = 500; index < 1500; index += 1) writeFileSync(join(directory, `name-of-a-file-${index}`), '');
  see(100);
  expect(isReal(join(directory, 'x'))).toBe(false);
});

test('a directory that is reached through a symlink, or is not there, is not known', () => {
  const { directory, known, isReal } = setting();
  mkdirSync(join(directory, 'real'));
  symlinkSync('real', join(directory, 'link'));
  for (const name of ['link', 'absent']) {
    for (let index = 0; index < 50; index += 1) known.seen(join(directory, name, `f${index}`));
    expect(isReal(join(directory, name, 'x'))).toBe(false);
  }
});
