import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scene, type Scene } from '../testing/run.ts';
import { worktreeCommand } from './index.ts';

function repository(): Scene {
  const here = scene();
  const git = (...words: readonly string[]) =>
    spawnSync('/usr/bin/git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...words], { cwd: here.workspace });
  writeFileSync(join(here.workspace, 'a.txt'), 'one\n');
  git('init', '--quiet');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'first');
  return here;
}

describe('holdfast worktree', () => {
  test('create, list, hand-back and remove', async () => {
    const here = repository();
    expect(await here.run(worktreeCommand, 'list')).toEqual({
      status: 0,
      stdout: 'No worktrees yet. Make one: holdfast worktree create\n',
      stderr: '',
    });
    const { stdout } = await here.run(worktreeCommand, 'create', '--branch', 'work', '--json');
    const { id, path } = JSON.parse(stdout) as { readonly id: string; readonly path: string };
    expect((await here.run(worktreeCommand, 'list')).stdout).toBe(
      `${id}  ready       work of ${here.workspace}\n  ${path}\n`,
    );
    expect((await here.run(worktreeCommand, 'hand-back', id)).stdout).toBe('nothing has changed\n');
    writeFileSync(join(path, 'a.txt'), 'two\n');
    const refused = await here.run(worktreeCommand, 'remove', id);
    expect(refused).toMatchObject({ status: 125, stderr: expect.stringContaining('[HF_WORKTREE_REFUSED]') });
    expect((await here.run(worktreeCommand, 'hand-back', id)).stdout).toMatch(
      /a\.txt \|.*\n.*\nto take it over: git merge work\n$/u,
    );
    expect((await here.run(worktreeCommand, 'hand-back', id, '--patch')).stdout).toContain('+two');
    expect(await here.run(worktreeCommand, 'remove', id)).toMatchObject({
      status: 0,
      stdout: `removed ${id}; the branch work stays if it has commits of its own\n`,
    });
    expect((await here.run(worktreeCommand, 'list', '--json')).stdout).toBe('[]\n');
  });

  test.each([[['make']], [['create', 'x']], [['remove']], [['hand-back']], [['list', 'x']]])(
    '%j is a mistake with a remedy',
    async (argv) => {
      expect(await scene().run(worktreeCommand, ...argv)).toMatchObject({
        status: 125,
        stdout: '',
        stderr: expect.stringMatching(/see `holdfast worktree --help` \[HF_USAGE\]\n$/u),
      });
    },
  );

  test('a workspace that is no repository is refused', async () => {
    expect(await scene().run(worktreeCommand, 'create')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('is not the top of a git repository'),
    });
  });
});
