import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { hooksIn } from './hooks.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'git-hooks-')));
  mkdirSync(join(base, 'hooks'));
});
afterEach(() => {
  rmSync(base, { recursive: true });
});

test.each([
  ['./scripts/check || exit 1', ['scripts/check']],
  ['exec scripts/check "$@"', ['scripts/check']],
  ['set -e; sh -e scripts/check', ['scripts/check']],
  ['"$(git rev-parse --show-toplevel)/scripts/check"', ['scripts/check']],
  ['if [ -t 1 ]; then CI=1 python3 tools/lint.py; fi', ['tools/lint.py']],
  ['. "$ROOT/scripts/environment"', ['scripts/environment']],
  ['# ./scripts/check', []],
  ['npx lint-staged', []],
  ['git diff --check && cat src/main.c', []],
  ['exec /usr/bin/check', []],
  ['./node_modules/.bin/eslint src/a.ts', []],
  ['.venv/bin/python tools/lint.py', ['tools/lint.py']],
])('%s starts %j', (text, expected) => {
  writeFileSync(join(base, 'hooks/pre-commit'), `#!/bin/sh\n${text}\n`);
  writeFileSync(join(base, 'hooks/pre-commit.sample'), './other/script\n');
  expect(hooksIn(join(base, 'hooks'), '/ws')).toEqual([
    { path: join(base, 'hooks/pre-commit'), leads: expected.map((path) => `/ws/${path}`) },
  ]);
});

test('a hook that is a symlink leads somewhere itself', () => {
  symlinkSync('../nowhere', join(base, 'hooks/pre-push'));
  expect(hooksIn(join(base, 'hooks'), '/ws')).toEqual([
    { path: join(base, 'hooks/pre-push'), leads: [join(base, 'hooks/pre-push')] },
  ]);
  expect(hooksIn(join(base, 'none'), '/ws')).toEqual([]);
});

test('a hook of newlines is read in linear time', async () => {
  const path = join(base, 'hooks/pre-commit');
  const read = (size: number): unknown => {
    writeFileSync(path, '\n'.repeat(size));
    return hooksIn(join(base, 'hooks'), '/ws');
  };
  expect(await growth(read, 1 << 16)).toBeLessThan(linear);
});
