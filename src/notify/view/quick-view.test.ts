import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { openQuickView } from './quick-view.ts';

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

test('a path is real where no symlink is on its way, be it there or not', () => {
  const { directory, quick } = setting();
  const real = (path: string): boolean => quick.isReal(`${directory}/${path}`);
  expect(['a', 'a/file', 'absent', 'absent/x', 'a/file/x'].filter((path) => !real(path))).toEqual([]);
  expect(
    ['link', 'link/file', 'link/absent', 'dangling', 'dangling/x', 'a/../a', 'a/./file', 'a//file', 'a/'].filter(real),
  ).toEqual([]);
  expect(quick.isReal(`/${'x/'.repeat(2100)}x`)).toBe(false);
});

test('a path that is there leads where the kernel says', () => {
  const { directory, quick } = setting();
  for (const path of ['a/file', 'link/file', 'a/../link/file', 'a//file'])
    expect(quick.realOf(`${directory}/${path}`)).toBe(join(directory, 'a/file'));
  for (const path of ['dangling', 'absent', 'a/file/x']) expect(quick.realOf(`${directory}/${path}`)).toBeUndefined();
  expect(quick.realOf(`/${'x/'.repeat(2100)}x`)).toBeUndefined();
});

test('the text of a link is read in bytes', () => {
  const { directory, quick } = setting();
  symlinkSync(Buffer.from('/m\u00fcde'), join(directory, 'other'));
  expect(quick.textOf('/proc/self/cwd')).toBe(realpathSync(process.cwd()));
  expect(Buffer.from(quick.textOf(join(directory, 'other')) ?? '', 'latin1').toString()).toBe('/m\u00fcde');
  expect(quick.textOf(join(directory, 'a'))).toBeUndefined();
});

test('it says the same when memory is short and collected all the time, and leaves no descriptor open', () => {
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
