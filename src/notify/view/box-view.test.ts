import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { atFdcwd } from '../../kernel/index.ts';
import { openBoxView, split, type BoxView } from './box-view.ts';
import { absoluteWords, namesInBox, processOfThread, umaskOf } from './caller.ts';

/** This process stands in for the box: both have the same root. */
function view(): { readonly directory: string; readonly box: BoxView } {
  const directory = mkdtempSync('/var/tmp/holdfast-view-');
  const box = openBoxView(process.pid);
  onTestFinished(() => {
    box.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { directory, box };
}

describe('locate', () => {
  test('follows existing components, and appends missing ones', () => {
    const { directory, box } = view();
    mkdirSync(join(directory, 'a/b'), { recursive: true });
    writeFileSync(join(directory, 'a/file'), '');
    symlinkSync('a', join(directory, 'link'));
    symlinkSync('../file', join(directory, 'a/b/up'));
    symlinkSync('b/none', join(directory, 'a/dangling'));
    symlinkSync('loop', join(directory, 'loop'));
    const located = (path: string, end: 'follow' | 'itself' = 'follow'): string | undefined =>
      box.locate(join(directory, '/') + path, end)?.slice(directory.length + 1);
    expect(located('a/file')).toBe('a/file');
    expect(located('link/./b/../file')).toBe('a/file');
    expect(located('link/b/up')).toBe('a/file');
    expect(located('link/b/up', 'itself')).toBe('a/b/up');
    expect(located('link/new')).toBe('a/new');
    expect(located('link/new/deeper')).toBe('a/new/deeper');
    expect(located('a/dangling')).toBe('a/b/none');
    expect(located('a/dangling', 'itself')).toBe('a/dangling');
    expect(located('a//b/')).toBe('a/b');
    expect(located('none/../a')).toBeUndefined();
    expect(located('loop')).toBeUndefined();
    expect(located('a/file/below')).toBe('a/file/below');
  });

  test('passes a directory by its name alone if nobody may enter it', () => {
    const { directory, box } = view();
    mkdirSync(join(directory, 'closed'));
    writeFileSync(join(directory, 'file'), '');
    chmodSync(join(directory, 'closed'), 0);
    onTestFinished(() => chmodSync(join(directory, 'closed'), 0o700));
    expect(box.locate(`${directory}/closed/x`, 'follow')).toBe(`${directory}/closed/x`);
    expect(box.locate(`${directory}/closed/../file`, 'follow')).toBe(`${directory}/file`);
  });

  test('gives no name to magic links', () => {
    const { box } = view();
    expect(box.locate(`/proc/${process.pid}/fd/0`, 'follow')).toBeUndefined();
  });

  test('treats names as bytes', () => {
    const { directory, box } = view();
    writeFileSync(Buffer.from(`${directory}/\xff\n`, 'latin1'), '');
    expect(box.locate(`${directory}/.//\xff\n`, 'follow')).toBe(`${directory}/\xff\n`);
  });
});

test.each([
  ['/a/b', '/a', 'b'],
  ['/a', '/', 'a'],
  ['/a/b//', '/a', 'b'],
  ['/', '/', ''],
])('%s is in %s and has the name %s', (path, parent, name) => {
  expect(split(path)).toEqual({ parent, name });
});

describe('the path that a caller means', () => {
  const own = process.pid;

  test.each([
    ['/etc/./passwd', '/etc/./passwd'],
    ['/proc/self/status', `/proc/${own}/status`],
    ['//proc//self', `/proc/${own}`],
    ['/proc/selfish', '/proc/selfish'],
    ['/proc/thread-self/x', `/proc/${own}/task/${own}/x`],
    ['/dev/fd/3', `/proc/${own}/fd/3`],
    ['/dev/stdin', `/proc/${own}/fd/0`],
    ['/dev/stderr', `/proc/${own}/fd/2`],
    ['/dev/stdinx', '/dev/stdinx'],
  ])('%s', (words, expected) => {
    expect(absoluteWords(own, atFdcwd, words)).toBe(expected);
  });

  test('relative paths start at the working directory or at a descriptor', () => {
    expect(absoluteWords(own, atFdcwd, 'x/y')).toBe(`${process.cwd()}/x/y`);
    expect(absoluteWords(own, 9999, 'x')).toBeUndefined();
  });

  test('finds its process, its names and its umask', () => {
    expect([processOfThread(own), namesInBox(own), umaskOf(own)]).toEqual([
      own,
      { process: own, thread: own },
      process.umask(),
    ]);
    expect([processOfThread(0x3f_ffff), umaskOf(0x3f_ffff)]).toEqual([0, 0o77]);
  });
});
