import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { absencesOf, holdAbsences } from './absences.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-absences-'));
  mkdirSync(join(root, 'home'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test('names the first component that is missing, once', () => {
  const missing = ['home/.cargo/bin', 'home/.cargo/env', 'home/.nvm', 'other/x'].map((path) => join(root, path));
  expect(absencesOf(missing)).toEqual([
    { directory: join(root, 'home'), names: ['.cargo', '.nvm'] },
    { directory: root, names: ['other'] },
  ]);
});

test('holds until something appears: a file, a directory, a dangling symlink', () => {
  const absences = absencesOf([join(root, 'home/.nvm'), join(root, 'home/.cargo/bin'), join(root, 'home/.volta')]);
  expect(holdAbsences(absences)).toBe(true);
  writeFileSync(join(root, 'home/unrelated'), '');
  expect(holdAbsences(absences)).toBe(true);
  for (const appear of [
    () => mkdirSync(join(root, 'home/.cargo')),
    () => writeFileSync(join(root, 'home/.nvm'), ''),
    () => symlinkSync('/nowhere', join(root, 'home/.volta')),
  ]) {
    appear();
    expect(holdAbsences(absences)).toBe(false);
    for (const name of ['.cargo', '.nvm', '.volta']) rmSync(join(root, 'home', name), { recursive: true, force: true });
  }
});

test('a directory that has gone has none of the names', () => {
  const absences = absencesOf([join(root, 'home/.nvm')]);
  rmSync(join(root, 'home'), { recursive: true });
  expect(holdAbsences(absences)).toBe(true);
});
