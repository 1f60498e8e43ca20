import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { replaceFile } from './replace-file.ts';

let directory = '';
let file = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-replace-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  file = join(directory, 'policy.toml');
});

test("a new file is its owner's alone", () => {
  replaceFile(file, 'new\n');
  expect(readFileSync(file, 'utf8')).toBe('new\n');
  expect(statSync(file).mode & 0o7777).toBe(0o600);
});

test.each([0o600, 0o640, 0o644, 0o400])('a mode of %o stays, and nothing is left beside', (mode) => {
  writeFileSync(file, 'old, and longer\n');
  chmodSync(file, mode);
  replaceFile(file, 'new\n');
  expect(readFileSync(file, 'utf8')).toBe('new\n');
  expect(statSync(file).mode & 0o7777).toBe(mode);
  expect(readdirSync(directory)).toEqual(['policy.toml']);
});

test('whoever has the old file open keeps reading the old text: it is another file', () => {
  writeFileSync(file, 'old\n');
  const before = statSync(file).ino;
  replaceFile(file, 'new\n');
  expect(statSync(file).ino).not.toBe(before);
});

test('a symlink stays one, and what it leads to is replaced', () => {
  mkdirSync(join(directory, 'dotfiles'));
  writeFileSync(join(directory, 'dotfiles/policy.toml'), 'old\n');
  symlinkSync('dotfiles/policy.toml', file);
  replaceFile(file, 'new\n');
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(directory, 'dotfiles/policy.toml'), 'utf8')).toBe('new\n');
});

test('where it cannot be put, the old text stays and nothing is left beside', () => {
  mkdirSync(join(file, 'not-empty'), { recursive: true });
  expect(() => replaceFile(file, 'new\n')).toThrow();
  expect(readdirSync(directory)).toEqual(['policy.toml']);
});
