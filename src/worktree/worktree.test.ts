import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWorktree, listWorktrees } from './create.ts';
import { handBack } from './hand-back.ts';
import { removeWorktree } from './remove.ts';
import { ground, type Ground } from './testing/repository.ts';

const branches = (here: Ground): readonly string[] =>
  here.git(['for-each-ref', '--format=%(refname:short)', 'refs/heads']).split('\n');
const worktrees = (here: Ground): number =>
  here
    .git(['worktree', 'list', '--porcelain'])
    .split('\n')
    .filter((line) => line.startsWith('worktree ')).length;

describe('a worktree', () => {
  test('is made on a branch of its own, closed to others, outside of the workspace', () => {
    const here = ground();
    here.write('a.txt', 'uncommitted\n');
    const made = createWorktree(here);
    expect(made.path).toBe(join(here.directory, made.id, 'tree'));
    expect(readFileSync(join(made.path, 'a.txt'), 'utf8')).toBe('one\n');
    expect(readFileSync(join(made.path, 'sub/b.txt'), 'utf8')).toBe('two\n');
    for (const path of [here.directory, join(here.directory, made.id), made.path])
      expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(branches(here)).toEqual([`holdfast/${made.id}`, 'main']);
    expect(here.git(['status', '--porcelain'])).toBe(' M a.txt');
    expect(listWorktrees(here.directory)).toEqual([{ ...made, condition: 'ready' }]);
  });

  test('comes back as a branch that nobody has merged', () => {
    const here = ground();
    const { id, path, branch, base } = createWorktree({ ...here, branch: 'work/one' });
    writeFileSync(join(path, 'a.txt'), 'changed\n');
    writeFileSync(join(path, 'new name\n.txt'), 'new\n');
    rmSync(join(path, 'sub/b.txt'));
    symlinkSync('/etc/passwd', join(path, 'link'));
    const back = handBack(here.directory, id);
    expect(back).toMatchObject({ branch: 'work/one', base, leftOut: [] });
    expect(back.summary).toContain('4 files changed');
    expect(back.patch.toString()).toContain('+changed');
    expect(here.git(['diff', '--name-status', 'main', branch]).split('\n')).toEqual([
      'M\ta.txt',
      'A\tlink',
      'A\t"new name\\n.txt"',
      'D\tsub/b.txt',
    ]);
    expect(here.git(['rev-parse', 'main'])).toBe(base);
    expect(here.git(['rev-parse', branch])).toBe(back.tip);
    expect(handBack(here.directory, id).tip).toBe(back.tip);
    here.git(['merge', '--quiet', branch]);
    expect(readFileSync(join(here.workspace, 'a.txt'), 'utf8')).toBe('changed\n');
  });

  test('commits that were made in it come back as well', () => {
    const here = ground();
    const { id, path, branch } = createWorktree(here);
    writeFileSync(join(path, 'c.txt'), 'three\n');
    here.git(['add', 'c.txt'], path);
    here.git(['commit', '--quiet', '-m', 'own'], path);
    expect(handBack(here.directory, id).tip).toBe(here.git(['rev-parse', branch]));
  });

  test('is removed with its branch where nothing was committed, and without it otherwise', () => {
    const here = ground();
    const one = createWorktree(here);
    removeWorktree({ directory: here.directory, id: one.id, uncommitted: 'keep' });
    expect({
      branches: branches(here),
      worktrees: worktrees(here),
      left: readdirSync(here.directory),
      admin: existsSync(join(here.workspace, '.git/worktrees')),
    }).toEqual({ branches: ['main'], worktrees: 1, left: [], admin: false });
    const two = createWorktree(here);
    writeFileSync(join(two.path, 'a.txt'), 'changed\n');
    expect(() => removeWorktree({ directory: here.directory, id: two.id, uncommitted: 'keep' })).toThrow(
      /1 changes in the worktree \w+ are not committed/u,
    );
    handBack(here.directory, two.id);
    removeWorktree({ directory: here.directory, id: two.id, uncommitted: 'keep' });
    expect({ branches: branches(here), worktrees: worktrees(here), left: readdirSync(here.directory) }).toEqual({
      branches: [two.branch, 'main'],
      worktrees: 1,
      left: [],
    });
  });

  test('uncommitted changes are dropped only where that is said', () => {
    const here = ground();
    const { id, path } = createWorktree(here);
    writeFileSync(join(path, 'a.txt'), 'changed\n');
    removeWorktree({ directory: here.directory, id, uncommitted: 'discard' });
    expect(branches(here)).toEqual(['main']);
  });

  test('another worktree of the user is left as it is', () => {
    const here = ground();
    here.git(['worktree', 'add', '--quiet', '-b', 'mine', join(here.root, 'mine')]);
    const { id } = createWorktree(here);
    rmSync(join(here.root, 'mine'), { recursive: true });
    removeWorktree({ directory: here.directory, id, uncommitted: 'keep' });
    expect(readdirSync(join(here.workspace, '.git/worktrees'))).toEqual(['mine']);
  });

  test('is removed although the repository has gone', () => {
    const here = ground();
    const { id } = createWorktree(here);
    rmSync(here.workspace, { recursive: true });
    expect(() => handBack(here.directory, id)).toThrow(/cannot be entered/u);
    removeWorktree({ directory: here.directory, id, uncommitted: 'discard' });
    expect(lstatSync(join(here.directory, id), { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe('is refused', () => {
  test('where there is nothing to start from', () => {
    const here = ground();
    expect(() => createWorktree({ ...here, workspace: join(here.workspace, 'sub') })).toThrow(
      /not the top of a git repository/u,
    );
    expect(() => createWorktree({ ...here, workspace: join(here.root, 'none') })).toThrow(/cannot be entered/u);
    here.git(['update-ref', '-d', 'HEAD']);
    expect(() => createWorktree(here)).toThrow(/no commit to start from/u);
    expect(existsSync(here.directory) ? readdirSync(here.directory) : []).toEqual([]);
  });

  test('with the name of a branch that is there, and leaves nothing', () => {
    const here = ground();
    expect(() => createWorktree({ ...here, branch: 'main' })).toThrow(/the branch main already exists/u);
    here.git(['branch', 'a/b']);
    expect(() => createWorktree({ ...here, branch: 'a' })).toThrow(/git worktree: /u);
    expect({ branches: branches(here), left: readdirSync(here.directory), worktrees: worktrees(here) }).toEqual({
      branches: ['a/b', 'main'],
      left: [],
      worktrees: 1,
    });
  });
});
