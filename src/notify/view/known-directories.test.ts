import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { knownDirectories, openQuickView } from './known-directories.ts';

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

test('reads a directory after a few opened files, and knows all its names but symlinks', () => {
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

test('its knowledge holds for a quarter of a second, and until a change', () => {
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

test('reads a large directory when that pays, and a very large one never', () => {
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

test('does not know a directory that is absent or behind a symlink', () => {
  const { directory, known, isReal } = setting();
  mkdirSync(join(directory, 'real'));
  symlinkSync('real', join(directory, 'link'));
  for (const name of ['link', 'absent']) {
    for (let index = 0; index < 50; index += 1) known.seen(join(directory, name, `f${index}`));
    expect(isReal(join(directory, name, 'x'))).toBe(false);
  }
});

describe('quick view', () => {
  function setting() {
    const directory = mkdtempSync('/var/tmp/holdfast-quick-');
    mkdirSync(join(directory, 'a'));
    writeFileSync(join(directory, 'a/file'), '');
    symlinkSync('a', join(directory, 'link'));
    symlinkSync('nowhere', join(directory, 'dangling'));
    const root = openSync('/', 'r');
    onTestFinished(() => {
      closeSync(root);
      rmSync(directory, { recursive: true });
    });
    return { directory, quick: openQuickView(root) };
  }

  test('a path is real without a symlink on the way, even if it is absent', () => {
    const { directory, quick } = setting();
    const real = (path: string): boolean => quick.isReal(`${directory}/${path}`);
    expect(['a', 'a/file', 'absent', 'absent/x', 'a/file/x'].filter((path) => !real(path))).toEqual([]);
    expect(
      ['link', 'link/file', 'link/absent', 'dangling', 'dangling/x', 'a/../a', 'a/./file', 'a//file', 'a/'].filter(
        real,
      ),
    ).toEqual([]);
    expect(quick.isReal(`/${'x/'.repeat(2100)}x`)).toBe(false);
  });

  test('an existing path leads where the kernel says', () => {
    const { directory, quick } = setting();
    for (const path of ['a/file', 'link/file', 'a/../link/file', 'a//file'])
      expect(quick.realOf(`${directory}/${path}`)).toBe(join(directory, 'a/file'));
    for (const path of ['dangling', 'absent', 'a/file/x']) expect(quick.realOf(`${directory}/${path}`)).toBeUndefined();
    expect(quick.realOf(`/${'x/'.repeat(2100)}x`)).toBeUndefined();
  });

  test('reads the text of a link as bytes', () => {
    const { directory, quick } = setting();
    symlinkSync(Buffer.from('/m\u00fcde'), join(directory, 'other'));
    expect(quick.textOf('/proc/self/cwd')).toBe(realpathSync(process.cwd()));
    expect(Buffer.from(quick.textOf(join(directory, 'other')) ?? '', 'latin1').toString()).toBe('/m\u00fcde');
    expect(quick.textOf(join(directory, 'a'))).toBeUndefined();
  });

  test('answers the same under constant garbage collection, and leaves no descriptor open', () => {
    const { directory, quick } = setting();
    const wrong: number[] = [];
    const before = openSync(directory, 'r');
    closeSync(before);
    for (let round = 0; round < 3000; round += 1) {
      const garbage = Array.from({ length: 20 }, () => Buffer.alloc(24, 0xff));
      const large = Buffer.alloc(200_000, garbage.length);
      const isRight =
        quick.isReal(`${directory}/a/file`) &&
        !quick.isReal(`${directory}/link/file`) &&
        quick.isReal(`${directory}/a`) &&
        quick.realOf(`${directory}/link`) === join(directory, 'a');
      if (!isRight || large[0] !== 20) wrong.push(round);
    }
    expect(wrong).toEqual([]);
    const after = openSync(directory, 'r');
    closeSync(after);
    expect(after).toBe(before);
  });
});
