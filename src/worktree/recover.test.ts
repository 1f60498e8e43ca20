import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { createWorktree, listWorktrees, recoverWorktrees } from './create.ts';
import { removeWorktree } from './remove.ts';
import { ground, type Ground } from './testing/repository.ts';

const state = (here: Ground): object => ({
  branches: here.git(['branch', '--list', '--format=%(refname:short)']),
  worktrees: here.git(['worktree', 'list']).split('\n').length,
  left: readdirSync(here.directory),
});
const clean = { branches: 'main', worktrees: 1, left: [] };
/** A process that has ended. */
const gone = (): number => spawnSync('/bin/true').pid;

function become(here: Ground, id: string, fields: Readonly<Record<string, unknown>>): void {
  const marker = join(here.directory, id, 'worktree.json');
  writeFileSync(marker, JSON.stringify({ ...(JSON.parse(readFileSync(marker, 'utf8')) as object), ...fields }));
}

describe('what a killed process left', () => {
  test('while git was at work is cleared away by the next one', async () => {
    const here = ground();
    mkdirSync(here.directory, { recursive: true });
    const seen = watch(here.directory);
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'testing/create-program.ts'), here.workspace, here.directory],
      { stdio: 'ignore', detached: true },
    );
    // After the first calls of git, but before the files exist. The marker then has its final name.
    for (;;) {
      if (readdirSync(here.directory).some((name) => /^[0-9a-f]{16}$/u.test(name))) break;
      await once(seen, 'change');
    }
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await once(child, 'exit');
    seen.close();
    const [left] = listWorktrees(here.directory);
    if (left?.state === 'making') expect(left.condition).toBe('unfinished');
    recoverWorktrees(here.directory);
    for (const { id } of listWorktrees(here.directory))
      removeWorktree({ directory: here.directory, id, uncommitted: 'discard' });
    expect(state(here)).toEqual(clean);
  });

  test.each(['making', 'removing'])('in the state %s is cleared away', (unfinished) => {
    const here = ground();
    const { id } = createWorktree(here);
    become(here, id, { state: unfinished, pid: gone() });
    expect(listWorktrees(here.directory)).toMatchObject([{ id, condition: 'unfinished' }]);
    expect(recoverWorktrees(here.directory)).toEqual([id]);
    expect(state(here)).toEqual(clean);
  });

  test('before it had a name is cleared away', () => {
    const here = ground();
    const { id } = createWorktree(here);
    const marker = {
      ...(JSON.parse(readFileSync(join(here.directory, id, 'worktree.json'), 'utf8')) as object),
      id: '00000000000000aa',
      state: 'making',
      pid: gone(),
    };
    mkdirSync(join(here.directory, '.making-00000000000000aa'));
    writeFileSync(join(here.directory, '.making-00000000000000aa/worktree.json'), JSON.stringify(marker));
    mkdirSync(join(here.directory, '.making-00000000000000bb'));
    expect(recoverWorktrees(here.directory)).toEqual(['00000000000000aa']);
    expect(readdirSync(here.directory).toSorted()).toEqual(['.making-00000000000000bb', id]);
  });
});

test('what a running process is at is left alone', () => {
  const here = ground();
  const { id } = createWorktree(here);
  become(here, id, { state: 'making', pid: process.ppid });
  expect(listWorktrees(here.directory)).toMatchObject([{ condition: 'busy' }]);
  expect(recoverWorktrees(here.directory)).toEqual([]);
  expect(() => removeWorktree({ directory: here.directory, id, uncommitted: 'discard' })).toThrow(
    /process \d+ is using the worktree/u,
  );
  expect(existsSync(join(here.directory, id, 'tree/a.txt'))).toBe(true);
});
