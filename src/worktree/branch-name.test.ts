import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { branchProblem } from './marker.ts';

test.each(['work', 'holdfast/0123', 'a/b/c', 'v1.2.3', '_x', 'feature_1'])('%s is one', (name) => {
  expect(branchProblem(name)).toBeUndefined();
});

test.each([
  '',
  '-',
  '--upload-pack=touch x',
  '-b',
  '../..',
  '..',
  '.',
  'a/../b',
  'a..b',
  'a/',
  '/a',
  'a//b',
  '.hidden',
  'a/.b',
  'a.',
  'a.lock',
  'a.LOCK/b',
  'HEAD',
  'head',
  'refs/heads/x',
  '@',
  'a@{1}',
  'a b',
  'a\nb',
  'a\0b',
  'a~1',
  'a^',
  'a:b',
  'a*',
  'a?',
  'a[b',
  'a\\b',
  'ä',
  '$(id)',
  '`id`',
  ';id',
  'x'.repeat(201),
  '0123456789012345678901234567890123456789',
  'a-/-b',
])('%j is none', (name) => {
  expect(branchProblem(name)).toMatch(/\w/u);
});

test('git takes whatever is one', () => {
  const names = fc
    .sample(fc.stringMatching(/^[A-Za-z0-9_.-]{1,8}(?:\/[A-Za-z0-9_.-]{1,8}){0,2}$/u), 60)
    .filter((name) => branchProblem(name) === undefined);
  for (const name of names)
    expect(spawnSync('/usr/bin/git', ['check-ref-format', '--branch', name]).status, name).toBe(0);
});
