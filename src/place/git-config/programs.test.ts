import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hookNames } from '../../git-config/keys.ts';
import { readGitPrograms } from './programs.ts';
import { holdsGitConfig } from './stamp.ts';

let base: string;
let workTree: string;
let home: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'git-programs-')));
  workTree = join(base, 'ws');
  home = join(base, 'home');
  write('.git/HEAD', 'ref: refs/heads/main\n');
  mkdirSync(home);
});
afterEach(() => {
  rmSync(base, { recursive: true });
});

function write(path: string, text: string): void {
  const file = join(workTree, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const read = (environment: Readonly<Record<string, string>> = {}) =>
  readGitPrograms({
    workTree,
    gitDirectories: [],
    home,
    environment: { GIT_CONFIG_SYSTEM: join(base, 'system'), ...environment },
  });
const named = (config: string): readonly string[] => {
  write('.git/config', config);
  return read().paths.map((path) => (path.startsWith(`${workTree}/`) ? path.slice(workTree.length + 1) : path));
};

describe('programs that a repository’s configuration makes git run', () => {
  test.each([
    ['[core]\nhooksPath = tools/hooks\n', ['tools/hooks']],
    ['[core]\nhooksPath = ./tools/../hooks/\n', ['hooks']],
    ['[core]\nfsmonitor = .tools/watch --all\n', ['.tools/watch']],
    ['[core]\nfsmonitor = true\n', []],
    ['[core]\neditor = vim\n', []],
    ['[core]\neditor = node edit.js\n', ['edit.js']],
    ['[core]\nsshCommand = ssh -F here.conf -i gone.key\n', ['here.conf']],
    ['[diff "x"]\ntextconv = "tools/conv -a"\n', ['tools/conv']],
    ['[diff "a.b"]\ncommand = sh ./x.sh\n', ['x.sh']],
    ['[filter "lfs"]\nprocess = git-lfs filter-process\nclean = ../outside\n', ['OUTSIDE']],
    ['[merge "m"]\ndriver = tools/merge %O %A %B\n', ['tools/merge']],
    ['[credential "https://x"]\nhelper = "!f() { ./cred; }; f"\n', ['cred']],
    ['[alias]\na = log --graph\nb = !tools/b\nc = "!sh -c \'tools/c\'"\n', ['tools/b']],
    ['[submodule "x"]\nupdate = !./update\n', ['update']],
    ['[user]\nname = ./not/a/program\n', []],
  ])('%j', (config, expected) => {
    for (const file of ['edit.js', 'here.conf', 'b']) write(file, '');
    expect(named(config)).toEqual(expected.map((path) => (path === 'OUTSIDE' ? join(base, 'outside') : path)));
  });

  test('hooks in the work tree itself are protected by their names', () => {
    expect(named('[core]\nhooksPath = .\n')).toEqual(hookNames);
  });

  test('included files count, under any condition', () => {
    write('conf/a', '[core]\nhooksPath = h\n[include]\npath = b\n');
    write('conf/b', '[gpg]\nprogram = ./sign\n[include]\npath = a\n');
    expect(named('[includeIf "onbranch:x"]\npath = ../conf/a\n')).toEqual(['conf/a', 'h', 'conf/b', 'sign']);
  });

  test('the files of the user, of the worktree and of the system count', () => {
    writeFileSync(join(home, '.gitconfig'), '[core]\nhooksPath = user\n');
    writeFileSync(join(base, 'system'), '[core]\nhooksPath = system\n');
    write('.git/config.worktree', '[core]\nhooksPath = worktree\n');
    expect(named('')).toEqual(['system', 'user', 'worktree']);
    writeFileSync(join(base, 'other'), '[core]\nhooksPath = other\n');
    expect(read({ GIT_CONFIG_GLOBAL: join(base, 'other') }).paths).toContain(join(workTree, 'other'));
  });

  test('the configuration and the hooks of submodules count, from their own work trees', () => {
    write('.git/modules/lib/a/HEAD', 'ref: refs/heads/main\n');
    write('.git/modules/lib/a/config', '[core]\nworktree = ../../../../vendor/a\nhooksPath = tools/hooks\n');
    write('vendor/a/tools/hooks/pre-commit', '#!/bin/sh\nscripts/check\n');
    write('.git/modules/lib/a/modules/b/HEAD', 'ref: refs/heads/main\n');
    write(
      '.git/modules/lib/a/modules/b/config',
      '[core]\nworktree = ../../../../../../vendor/a/b\nfsmonitor = ./watch\n',
    );
    expect(named('')).toEqual(['vendor/a/tools/hooks', 'vendor/a/b/watch', 'vendor/a/scripts/check']);
  });

  test('symlinks on the way and their targets count', () => {
    mkdirSync(join(workTree, 'real'));
    symlinkSync('real', join(workTree, 'link'));
    expect(named('[core]\nhooksPath = link/hooks\n')).toEqual(['link/hooks', 'link', 'real/hooks']);
  });

  test('a FIFO, a directory and a giant file are no configuration', () => {
    write('.git/config', `[core]\nhooksPath = x\n#${'x'.repeat(1 << 20)}`);
    mkdirSync(join(home, '.gitconfig'));
    expect(read().paths).toEqual([]);
  });
});

/** Attack: a home full of links, or a long configuration, displaces the paths that a box could write. */
test('paths of the work tree come before those elsewhere', () => {
  for (const directory of ['.config/nvim', '.config/i3', '.vim', '.zsh', '.config/kitty']) {
    mkdirSync(join(home, directory), { recursive: true });
    mkdirSync(join(base, 'dotfiles', directory), { recursive: true });
    for (let number = 0; number < 60; number += 1) {
      const target = join(base, 'dotfiles', directory, `${number}.conf`);
      writeFileSync(target, '');
      symlinkSync(target, join(home, directory, `${number}.conf`));
    }
  }
  write('rc', '');
  symlinkSync(join(workTree, 'rc'), join(home, '.zshrc'));
  write('.git/config', `[core]\n${Array.from({ length: 300 }, (_, number) => `editor = /opt/e${number}\n`).join('')}`);
  write('scripts/check', '');
  write('.git/hooks/pre-commit', '#!/bin/sh\nscripts/check\n');
  const { paths } = read();
  expect(paths).toContain(join(workTree, 'scripts/check'));
  expect(paths).toContain(join(workTree, 'rc'));
  expect(paths.length).toBeLessThanOrEqual(256);
});

describe('the stamp of a configuration', () => {
  /** Attack: the plan of an earlier run is used, and a script that the user has linked since then is writable. */
  test('holds until a setting of the home becomes a link', () => {
    const environment = { GIT_CONFIG_SYSTEM: join(base, 'system') };
    mkdirSync(join(home, '.config/nvim'), { recursive: true });
    for (const link of ['.zshrc', '.vimrc', '.config/fish', '.config/nvim/init.lua']) {
      const { stamp } = read();
      writeFileSync(join(home, '.config/nvim/other'), link);
      expect(holdsGitConfig(stamp, environment)).toBe(true);
      symlinkSync(join(workTree, 'file'), join(home, link));
      expect([link, holdsGitConfig(stamp, environment)]).toEqual([link, false]);
    }
  });

  test('holds until a file, a missing file or a variable changes', () => {
    write('.git/config', '[include]\npath = later\n');
    const { stamp } = read();
    const environment = { GIT_CONFIG_SYSTEM: join(base, 'system') };
    expect(holdsGitConfig(stamp, environment)).toBe(true);
    expect(holdsGitConfig(stamp, { ...environment, GIT_CONFIG_GLOBAL: '/x' })).toBe(false);
    write('.git/later', '[core]\nhooksPath = x\n');
    expect(holdsGitConfig(stamp, environment)).toBe(false);
    const after = read().stamp;
    write('.git/later', '[core]\nhooksPath = y\n');
    expect(holdsGitConfig(after, environment)).toBe(false);
  });
});
