import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addSubmodule, git, plant, repository, scratchDirectory } from '../../place/testing/scratch.ts';
import { judgeAppeared, type QuarantineJudgement } from './judge.ts';

const names = new Set(['hooks', 'config', 'config.worktree', 'commondir', 'gitdir', '.git', 'attributes']);

function judge(path: string, root: string, gitDirectories: readonly string[] = []): QuarantineJudgement {
  return judgeAppeared({
    path: Buffer.from(path),
    pinned: Buffer.from(path),
    roots: [root, ...gitDirectories],
    gitDirectories,
  });
}

/** Everything below a root whose name some rule protects, as the launcher's sweep would report it. */
function sweep(root: string): readonly string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    names.has(entry.name) ? [join(entry.parentPath, entry.name)] : [],
  );
}

function refusalsIn(root: string): readonly string[] {
  return sweep(root).flatMap((path) => {
    const judgement = judge(path, root);
    return judgement.kind === 'refused' ? [`${path.slice(root.length + 1)}: ${judgement.reason}`] : [];
  });
}

function refused(path: string, root: string): string {
  const judgement = judge(path, root);
  return judgement.kind === 'refused' ? judgement.reason : 'not refused';
}

describe('files made by git are harmless', () => {
  test('git init, with all the sample hooks', () => {
    const root = scratchDirectory();
    git(root, 'init', '-q');
    expect(
      sweep(root)
        .map((path) => basename(path))
        .toSorted(),
    ).toEqual(['.git', 'config', 'hooks']);
    expect(refusalsIn(root)).toEqual([]);
  });

  test('git init of a bare repository called .git, and with the other hash', () => {
    const root = scratchDirectory();
    git(root, 'init', '-q', '--bare', 'a/.git');
    git(root, 'init', '-q', '--object-format=sha256', 'b');
    expect(refusalsIn(root)).toEqual([]);
  });

  test('git clone from a path, over http and by ssh, with the branches it sets up', () => {
    const root = scratchDirectory();
    repository(join(root, 'origin'));
    git(root, 'clone', '-q', 'origin', 'copy');
    git(root, 'clone', '-q', '--no-local', '--depth', '1', `file://${root}/origin`, 'shallow');
    for (const url of ['https://example.com/a/b.git', 'git@example.com:a/b.git', 'ssh://git@example.com:22/a/b'])
      git(join(root, 'copy'), 'remote', 'set-url', 'origin', url);
    git(join(root, 'copy'), 'branch', '-q', 'two', '--track', 'origin/HEAD');
    expect(refusalsIn(root)).toEqual([]);
  });

  test('git worktree add, also for a worktree that is gone again', () => {
    const root = scratchDirectory();
    const main = repository(join(root, 'main'));
    git(main, 'worktree', 'add', '-q', '../tree');
    git(main, 'worktree', 'add', '-q', '../gone');
    rmSync(join(root, 'gone'), { recursive: true });
    expect(sweep(root).filter((path) => path.endsWith('dir'))).toHaveLength(4);
    expect(refusalsIn(root)).toEqual([]);
  });

  test('git worktree add in a worktree of a bare repository, whose git directory came along', () => {
    const outside = scratchDirectory();
    repository(join(outside, 'main'));
    git(outside, 'clone', '-q', '--bare', 'main', 'bare.git');
    const [bare, root] = [join(outside, 'bare.git'), join(outside, 'tree')];
    git(bare, 'worktree', 'add', '-q', root);
    git(root, 'worktree', 'add', '-q', '-b', 'other', 'second');
    for (const path of [
      join(root, 'second/.git'),
      join(bare, 'worktrees/second/commondir'),
      join(bare, 'worktrees/second/gitdir'),
    ]) {
      expect([path, judge(path, root, [bare]).kind]).toEqual([path, 'harmless']);
      expect([path, judge(path, outside).kind]).toEqual([path, 'refused']);
    }
  });

  test('git submodule add and clone --recurse-submodules', () => {
    const root = scratchDirectory();
    repository(join(root, 'library'));
    const main = repository(join(root, 'main'));
    addSubmodule(main, '../library', 'sub');
    addSubmodule(main, '../library', 'deep/sub');
    git(main, 'commit', '-q', '-m', 'submodules');
    git(root, '-c', 'protocol.file.allow=always', 'clone', '-q', '--recurse-submodules', 'main', 'copy');
    expect(sweep(root).filter((path) => path.includes('/modules/')).length).toBeGreaterThan(3);
    expect(refusalsIn(root)).toEqual([]);
  });

  test('a file removed before it could be judged', () => {
    const root = scratchDirectory();
    for (const name of ['.git', '.git/hooks', '.git/config', '.git/worktrees/x/commondir', '.git/worktrees/x/gitdir'])
      expect(judge(join(root, name), root).kind).toBe('harmless');
  });
});

describe('hooks', () => {
  test.each(['pre-commit', 'post-checkout', 'sample', 'x.sample.sh', '.sample/x'])(
    'with an active %s are refused',
    (name) => {
      const root = scratchDirectory();
      git(root, 'init', '-q');
      plant(join(root, '.git/hooks'), { [name]: '#!/bin/sh\n' });
      expect(refused(join(root, '.git/hooks'), root)).toContain('hook');
    },
  );

  test('that are a link to somewhere else, or a link that is called a sample', () => {
    const root = scratchDirectory();
    plant(root, { 'evil/pre-commit': 'x', 'b/.git/hooks/': '' });
    mkdirSync(join(root, 'a/.git'), { recursive: true });
    symlinkSync('../../evil', join(root, 'a/.git/hooks'));
    symlinkSync('../../../evil/pre-commit', join(root, 'b/.git/hooks/x.sample'));
    expect(refused(join(root, 'a/.git/hooks'), root)).toContain('points');
    expect(refused(join(root, 'b/.git/hooks'), root)).toContain('x.sample');
  });
});

describe('config', () => {
  test('that sets what git itself would not', () => {
    const root = scratchDirectory();
    git(root, 'init', '-q');
    appendFileSync(join(root, '.git/config'), '[core]\n\tfsmonitor = ./x\n');
    expect(refused(join(root, '.git/config'), root)).toBe('it sets core.fsmonitor');
  });

  test('that is a link, a FIFO, a directory, or a megabyte long', () => {
    const root = scratchDirectory();
    plant(root, {
      real: '[core]\n\tbare = false\n',
      'directory/config/': '',
      'long/config': '#'.repeat((1 << 20) + 1),
      'fifo/': '',
      'link/': '',
    });
    symlinkSync('../real', join(root, 'link/config'));
    execFileSync('mkfifo', [join(root, 'fifo/config')]);
    for (const kind of ['directory', 'long', 'fifo', 'link'])
      expect(refused(join(root, kind, 'config'), root)).toContain('not a regular file');
  });

  // Attack: `git checkout` in the submodule would write to the work tree, wherever that is.
  test('with a work tree outside, or behind a link', () => {
    const root = join(scratchDirectory(), 'root');
    plant(root, { 'sub/': '', '../outside/': '', '.git/modules/sub/': '' });
    symlinkSync('../outside', join(root, 'link'));
    const at = join(root, '.git/modules/sub/config');
    for (const [workTree, kind] of [
      ['../../../sub', 'harmless'],
      ['../../../../outside', 'refused'],
      ['../../../link', 'refused'],
      ['../../../missing', 'refused'],
      ['../../../..', 'refused'],
    ] as const) {
      writeFileSync(at, `[core]\n\tworktree = ${workTree}\n`);
      expect([workTree, judge(at, root).kind]).toEqual([workTree, kind]);
    }
  });
});

describe('commondir', () => {
  // Attack: `../..` of a repository's own .git is the directory around it, where `config` is a name like any other.
  test('in a repository of its own makes git obey an unprotected file, and is refused', () => {
    const root = scratchDirectory();
    git(root, 'init', '-q', 'a/b');
    plant(root, {
      'a/config': '[alias]\n\tpwned = !echo pwned\n',
      'a/b/.git/commondir': '../..\n',
      'a/objects/': '',
      'a/refs/': '',
    });
    expect(git(join(root, 'a/b'), 'pwned')).toBe('pwned\n');
    expect(refused(join(root, 'a/b/.git/commondir'), root)).toContain('another repository');
  });

  test.each(['../../../x', '/home/you/x', '..', '../../', '../..\n../..\n', ''])(
    'of a worktree with the text %j is refused',
    (text) => {
      const root = scratchDirectory();
      plant(root, { '.git/worktrees/x/commondir': text });
      expect(refused(join(root, '.git/worktrees/x/commondir'), root)).toContain('another repository');
    },
  );
});

describe('gitdir', () => {
  test.each(['/etc/.git', '/home/you/project', '../../../../.git', ''])('that names %j is refused', (text) => {
    const root = scratchDirectory();
    plant(root, { '.git/worktrees/x/gitdir': text });
    expect(refused(join(root, '.git/worktrees/x/gitdir'), root)).toContain('points');
  });
});

describe('a .git file', () => {
  /** A root with a git directory of the attacker's choice, and a pointer to it. */
  function pointer(
    files: Readonly<Record<string, string>>,
    target: string,
  ): { readonly root: string; readonly path: string } {
    const root = join(scratchDirectory(), 'root');
    plant(root, { ...files, 'b/.git': `gitdir: ${target.replace('ROOT', root)}\n` });
    return { root, path: join(root, 'b/.git') };
  }
  const modules = { 'a/.git/modules/x/config': '', 'a/.git/modules/x/HEAD': 'x' };

  test('of a submodule or worktree is harmless, by a relative or an absolute path', () => {
    for (const target of ['../a/.git/modules/x', 'ROOT/a/.git/modules/x', 'ROOT/a/.git/worktrees/x']) {
      const { root, path } = pointer({ ...modules, 'a/.git/worktrees/x/commondir': '../..\n' }, target);
      expect(judge(path, root).kind).toBe('harmless');
    }
  });

  test.each([
    ['outside', '/usr/.git'],
    ['outside, by going up', '../../.git'],
    ['a directory that nothing protects', '../evil'],
    ['a place below .git that nothing protects', '../a/.git/evil'],
    ['deeper than anything is protected', '../a/.git/modules/1/2/3/4/5'],
    ['below the objects of a repository, which are not searched', '../a/.git/objects/ab/x/.git'],
    ['below the objects of a bare one', '../a.git/objects/ab/x/.git'],
    ['nowhere yet', '../a/.git/modules/later'],
    ['a root that merely begins like ours', '../../root-2/.git'],
  ])('that points %s is refused', (_where, target) => {
    const config = [
      'evil',
      'a/.git/evil',
      'a/.git/objects/ab/x/.git',
      'a.git/objects/ab/x/.git',
      'a/.git/modules/1/2/3/4/5',
      '../root-2/.git',
      '../.git',
    ].map((directory) => [`${directory}/config`, '']);
    const { root, path } = pointer({ ...modules, ...(Object.fromEntries(config) as Record<string, string>) }, target);
    expect(refused(path, root)).toContain('points');
  });

  // Attack: the way looks like git's own, and a link on it leads to a configuration that nothing protects.
  test('that points through a link is refused', () => {
    const { root, path } = pointer({ 'evil/x/config': '', 'a/.git/': '' }, '../a/.git/modules/x');
    symlinkSync('../../evil', join(root, 'a/.git/modules'));
    expect(refused(path, root)).toContain('points');
  });

  // Attack: with nothing in it that is protected, a later run could turn the directory into a link.
  test('that points to a git directory without a configuration is refused', () => {
    const { root, path } = pointer({ 'a/.git/modules/x/HEAD': 'x' }, '../a/.git/modules/x');
    expect(refused(path, root)).toContain('points');
  });

  test('that is a link, or says something else, is refused', () => {
    const { root, path } = pointer(modules, '../a/.git/modules/x');
    renameSync(path, join(dirname(path), 'pointer'));
    symlinkSync('pointer', path);
    expect(refused(path, root)).toContain('not a pointer');
    for (const text of ['', 'gitdir:../a/.git/modules/x\n', 'gitdir: \n', 'x'.repeat(2 << 20)]) {
      rmSync(path);
      writeFileSync(path, text);
      expect(refused(path, root)).toMatch(/not a pointer|points/u);
    }
  });
});

describe('every other name is refused', () => {
  test.each([
    '.envrc',
    '.vscode',
    'attributes',
    '.gitconfig',
    'Hooks',
    'CONFIG',
    'constructor',
    '__proto__',
    'toString',
  ])('%s', (name) => {
    const root = scratchDirectory();
    plant(root, { [`x/${name}`]: '' });
    expect(refused(join(root, 'x', name), root)).toContain(name);
  });

  test('a path that is not UTF-8, even one made by git', () => {
    const root = scratchDirectory();
    const path = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff]), Buffer.from('/.git/config')]);
    expect(judgeAppeared({ path, pinned: path, roots: [root], gitDirectories: [] })).toEqual({
      kind: 'refused',
      reason: 'its path is not valid UTF-8',
    });
  });

  test('a file that a box made unreadable', () => {
    const root = scratchDirectory();
    plant(root, { '.git/hooks/pre-commit': 'x', '.git/config': '[core]\n\tfsmonitor = x\n' });
    for (const name of ['hooks', 'config']) {
      chmodSync(join(root, '.git', name), 0o000);
      expect(refused(join(root, '.git', name), root)).toMatch(/cannot be read|hook|fsmonitor/u);
    }
    chmodSync(join(root, '.git/hooks'), 0o700);
  });
});
