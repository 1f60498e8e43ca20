import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, plant, repository, scratchDirectory } from '../testing/scratch.ts';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { findWorkspace, toldWorkTree } from './workspace.ts';

const home = '/home/nobody-has-this-name';
const unsafe = expect.objectContaining({ code: 'HF_WORKSPACE_UNSAFE', remedy: expect.stringContaining('--workspace') });

describe('findWorkspace', () => {
  test('outside git the working directory is the root', () => {
    const cwd = scratchDirectory();
    expect(findWorkspace({ cwd, home })).toEqual({ root: cwd, cwd, gitDirectories: [] });
  });

  test('in a work tree its top is the root, and the command starts where it was called', () => {
    const root = repository(join(scratchDirectory(), 'main'));
    plant(root, { 'a/b/': '' });
    expect(findWorkspace({ cwd: join(root, 'a/b'), home })).toEqual({
      root,
      cwd: join(root, 'a/b'),
      gitDirectories: [],
    });
  });

  test('in a linked worktree the main repository comes along', () => {
    const main = repository(join(scratchDirectory(), 'main'));
    git(main, 'worktree', 'add', '-q', '../tree');
    const root = join(main, '../tree');
    expect(findWorkspace({ cwd: root, home })).toEqual({ root, cwd: root, gitDirectories: [join(main, '.git')] });
  });

  test('a root that was named wins, and the command starts in it', () => {
    const directory = scratchDirectory();
    plant(directory, { 'a/b/': '', 'c/': '' });
    expect(findWorkspace({ cwd: join(directory, 'a/b'), root: join(directory, 'a'), home })).toMatchObject({
      root: join(directory, 'a'),
      cwd: join(directory, 'a/b'),
    });
    expect(findWorkspace({ cwd: join(directory, 'c'), root: join(directory, 'a'), home })).toMatchObject({
      root: join(directory, 'a'),
      cwd: join(directory, 'a'),
    });
  });

  test('a name that merely begins like the root is not inside it', () => {
    const directory = scratchDirectory();
    plant(directory, { 'app/': '', 'app-2/': '' });
    expect(findWorkspace({ cwd: join(directory, 'app-2'), root: join(directory, 'app'), home }).cwd).toBe(
      join(directory, 'app'),
    );
  });

  test('symlinks are followed once, here: the root is a real path', () => {
    const directory = scratchDirectory();
    plant(directory, { 'real/sub/': '' });
    symlinkSync('real', join(directory, 'link'));
    expect(findWorkspace({ cwd: join(directory, 'link/sub'), root: join(directory, 'link'), home })).toMatchObject({
      root: join(directory, 'real'),
      cwd: join(directory, 'real/sub'),
    });
  });

  test('paths with newlines, spaces, quotes and any other UTF-8', () => {
    const root = join(scratchDirectory(), 'a\nb "c\' ü 日本 %s $(id) -x');
    mkdirSync(root);
    expect(findWorkspace({ cwd: root, home })).toEqual({ root, cwd: root, gitDirectories: [] });
  });
});

describe('invalid workspaces', () => {
  test.each(['/nonexistent', '/etc/passwd/x', ''])('%j does not exist', (cwd) => {
    expect(() => findWorkspace({ cwd, home })).toThrow(expect.objectContaining({ code: 'HF_WORKSPACE_MISSING' }));
  });

  test('a file, a dangling link and a loop', () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, 'file'), '');
    symlinkSync('nowhere', join(directory, 'dangling'));
    symlinkSync('loop', join(directory, 'loop'));
    for (const name of ['file', 'dangling', 'loop']) {
      expect(() => findWorkspace({ cwd: directory, root: join(directory, name), home })).toThrow(
        expect.objectContaining({ code: 'HF_WORKSPACE_MISSING', remedy: expect.stringContaining('--workspace') }),
      );
    }
  });

  test.each([
    '/',
    '/usr',
    '/etc',
    '/usr/bin',
    '/var',
    '/tmp',
    '/var/tmp',
    '/proc/self',
    '/dev',
    '/dev/shm',
    '/sys',
    '/sys/fs',
    '/etc/ssl',
    '/usr/lib',
    '/bin',
  ])('%s, of the system', (root) => {
    expect(() => findWorkspace({ cwd: root, home })).toThrow(unsafe);
    expect(() => findWorkspace({ cwd: scratchDirectory(), root, home })).toThrow(unsafe);
  });

  test('the home directory, and those above it', () => {
    const directory = scratchDirectory();
    plant(directory, { 'home/me/project/': '' });
    const me = join(directory, 'home/me');
    expect(() => findWorkspace({ cwd: me, home: me })).toThrow(
      expect.objectContaining({ message: expect.stringContaining('your whole home directory') }),
    );
    expect(() => findWorkspace({ cwd: join(directory, 'home'), home: me })).toThrow(unsafe);
    expect(findWorkspace({ cwd: join(me, 'project'), home: me }).root).toBe(join(me, 'project'));
  });

  test('the home directory by another name', () => {
    const directory = scratchDirectory();
    plant(directory, { 'real/': '' });
    symlinkSync('real', join(directory, 'home'));
    expect(() => findWorkspace({ cwd: join(directory, 'real'), home: join(directory, 'home') })).toThrow(unsafe);
    expect(() => findWorkspace({ cwd: join(directory, 'home'), home: join(directory, 'real') })).toThrow(unsafe);
  });

  test('a home directory that is a repository, from a project inside it', () => {
    const me = repository(join(scratchDirectory(), 'me'));
    plant(me, { 'project/': '' });
    expect(() => findWorkspace({ cwd: join(me, 'project'), home: me })).toThrow(unsafe);
    expect(findWorkspace({ cwd: join(me, 'project'), root: join(me, 'project'), home: me }).root).toBe(
      join(me, 'project'),
    );
  });

  test('invalid UTF-8, which Node would turn into the name of another file', () => {
    const directory = scratchDirectory();
    execFileSync('sh', ['-c', 'mkdir "$(printf "bad\\377")" && ln -s "$(printf "bad\\377")" link'], { cwd: directory });
    const unrepresentable = expect.objectContaining({
      code: 'HF_PATH_UNREPRESENTABLE',
      remedy: expect.stringContaining('UTF-8'),
    });
    expect(() => findWorkspace({ cwd: join(directory, 'bad\uFFFD'), home })).toThrow(unrepresentable);
    expect(() => findWorkspace({ cwd: join(directory, 'link'), home })).toThrow(unrepresentable);
  });
});

// Attack: a configuration of newlines alone, which a box may leave for the next one.
test.each(['\n', ' \n', '\r', ' '])('reads a configuration of %j in linear time', async (part) => {
  expect(toldWorkTree('[core]\n\tworktree = ../x \n')).toBe('../x');
  expect(await growth((size) => toldWorkTree(part.repeat(size)), 1 << 16)).toBeLessThan(linear);
});
