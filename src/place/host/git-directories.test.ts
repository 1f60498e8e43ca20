import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addSubmodule, git, plant, repository, scratchDirectory } from '../testing/scratch.ts';
import { linkedGitDirectories } from './workspace.ts';

describe('git directories that git made', () => {
  test('a repository of its own has none outside', () => {
    expect(linkedGitDirectories(repository(join(scratchDirectory(), 'main')))).toEqual([]);
  });

  test('a directory without git has none', () => {
    expect(linkedGitDirectories(scratchDirectory())).toEqual([]);
  });

  test('a linked worktree needs the whole of the main one', () => {
    const main = repository(join(scratchDirectory(), 'main'));
    git(main, 'worktree', 'add', '-q', '../tree');
    expect(linkedGitDirectories(join(main, '../tree'))).toEqual([join(main, '.git')]);
  });

  test('a worktree of a bare repository', () => {
    const directory = scratchDirectory();
    repository(join(directory, 'main'));
    git(directory, 'clone', '-q', '--bare', 'main', 'bare.git');
    git(join(directory, 'bare.git'), 'worktree', 'add', '-q', '../tree');
    expect(linkedGitDirectories(join(directory, 'tree'))).toEqual([join(directory, 'bare.git')]);
  });

  test('a submodule needs its own, and not that of the repository around it', () => {
    const directory = scratchDirectory();
    const [main, other] = [repository(join(directory, 'main')), repository(join(directory, 'other'))];
    expect(linkedGitDirectories(addSubmodule(main, other, 'sub'))).toEqual([join(main, '.git/modules/sub')]);
  });

  test('a submodule of a worktree', () => {
    const directory = scratchDirectory();
    const [main, other] = [repository(join(directory, 'main')), repository(join(directory, 'other'))];
    git(main, 'worktree', 'add', '-q', '../tree');
    expect(linkedGitDirectories(addSubmodule(join(directory, 'tree'), other, 'sub'))).toEqual([
      join(main, '.git/worktrees/tree/modules/sub'),
    ]);
  });

  test('a worktree whose path has a newline and a space at its end', () => {
    const main = repository(join(scratchDirectory(), 'ma\nin '));
    git(main, 'worktree', 'add', '-q', '-b', 'other', '../tr\nee');
    expect(linkedGitDirectories(join(main, '../tr\nee'))).toEqual([join(main, '.git')]);
  });

  test('a worktree with relative paths', () => {
    const main = repository(join(scratchDirectory(), 'main'));
    git(main, 'worktree', 'add', '-q', '../tree');
    writeFileSync(join(main, '../tree/.git'), 'gitdir: ../main/.git/worktrees/tree\n');
    writeFileSync(join(main, '.git/worktrees/tree/gitdir'), '../../../../tree/.git\n');
    expect(linkedGitDirectories(join(main, '../tree'))).toEqual([join(main, '.git')]);
  });
});

describe('a .git file that lies', () => {
  /** Someone else's repository, and a workspace beside it. */
  function scene(): { readonly victim: string; readonly root: string } {
    const directory = scratchDirectory();
    plant(directory, { 'root/': '' });
    return { victim: repository(join(directory, 'victim')), root: join(directory, 'root') };
  }

  test('names a directory that is no git directory', () => {
    const { root, victim } = scene();
    plant(victim, { '../keys/id': 'secret' });
    plant(root, { '.git': `gitdir: ${join(victim, '../keys')}\n` });
    expect(linkedGitDirectories(root)).toEqual([]);
  });

  test('names the repository of someone else, which does not point back', () => {
    const { root, victim } = scene();
    plant(root, { '.git': `gitdir: ${victim}/.git\n` });
    expect(linkedGitDirectories(root)).toEqual([]);
  });

  test('names the worktree of someone else', () => {
    const { root, victim } = scene();
    git(victim, 'worktree', 'add', '-q', '../tree');
    plant(root, { '.git': `gitdir: ${victim}/.git/worktrees/tree\n` });
    expect(linkedGitDirectories(root)).toEqual([]);
  });

  // Attack: a crafted git directory points back to the workspace, and its commondir names a directory to make writable
  // in the box.
  test.each(['root/own', 'beside/own', 'beside/worktrees/own'])(
    'has a git directory of its own in %s, with the commondir of someone else',
    (own) => {
      const { root, victim } = scene();
      plant(join(root, '..'), {
        [`${own}/HEAD`]: 'ref: refs/heads/x\n',
        [`${own}/gitdir`]: `${root}/.git\n`,
        [`${own}/commondir`]: `${victim}/.git\n`,
      });
      plant(root, { '.git': `gitdir: ${join(root, '..', own)}\n` });
      expect(linkedGitDirectories(root)).toEqual([]);
    },
  );

  test('has a link in the place of the main repository', () => {
    const { root, victim } = scene();
    plant(root, {
      '../beside/worktrees/own/HEAD': 'x',
      '../beside/worktrees/own/gitdir': `${root}/.git\n`,
      '../beside/worktrees/own/commondir': '../../link\n',
    });
    symlinkSync(`${victim}/.git`, join(root, '../beside/link'));
    plant(root, { '.git': 'gitdir: ../beside/worktrees/own\n' });
    expect(linkedGitDirectories(root)).toEqual([]);
  });

  test('names a git directory inside the workspace, which is writable anyway', () => {
    const { root } = scene();
    plant(root, { '.git': 'gitdir: x/.git\n', 'x/.git/HEAD': 'x', 'x/.git/gitdir': `${root}/.git\n` });
    expect(linkedGitDirectories(root)).toEqual([]);
  });

  test.each([
    '',
    'gitdir:',
    'gitdir: \n',
    'gitdir: /nonexistent\n',
    'gitdir: \0\n',
    `gitdir: ${'../'.repeat(5000)}etc\n`,
    'x'.repeat(2 << 20),
  ])('is no pointer: %.30j', (text) => {
    const { root } = scene();
    plant(root, { '.git': text });
    expect(linkedGitDirectories(root)).toEqual([]);
  });

  test('is a symlink to a pointer, or a FIFO', () => {
    const { root, victim } = scene();
    git(victim, 'worktree', 'add', '-q', '../tree');
    symlinkSync(join(root, '../tree/.git'), join(root, '.git'));
    expect(linkedGitDirectories(root)).toEqual([]);
    rmSync(join(root, '.git'));
    execFileSync('mkfifo', [join(root, '.git')]);
    expect(linkedGitDirectories(root)).toEqual([]);
  });

  test('was true until the worktree moved away', () => {
    const { root, victim } = scene();
    git(victim, 'worktree', 'add', '-q', '../tree');
    renameSync(join(victim, '../tree/.git'), join(root, '.git'));
    expect(linkedGitDirectories(root)).toEqual([]);
  });
});
