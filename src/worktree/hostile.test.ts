import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookNames } from '../git-config/keys.ts';
import { createWorktree, listWorktrees } from './create.ts';
import { handBack } from './hand-back.ts';
import { removeWorktree } from './remove.ts';
import { ground, type Ground } from './testing/repository.ts';

/** Every action on a worktree, with one change in it. */
function wholeLife(here: Ground): void {
  const { id, path } = createWorktree(here);
  writeFileSync(join(path, 'a.txt'), 'changed\n');
  writeFileSync(join(path, 'new.txt'), 'new\n');
  expect(handBack(here.directory, id).summary).toContain('2 files changed');
  removeWorktree({ directory: here.directory, id, uncommitted: 'keep' });
}

const script = (here: Ground): string => {
  const path = join(here.root, 'evil.sh');
  writeFileSync(path, `#!/bin/sh\necho "$0 $*" >> ${here.touched}\ncat\n`);
  chmodSync(path, 0o755);
  return path;
};
const config = (here: Ground, ...settings: readonly (readonly [string, string])[]): void => {
  for (const [key, value] of settings) here.git(['config', key, value]);
};

const includeOn = (here: Ground, evil: string, condition: string): void => {
  writeFileSync(join(here.root, 'more'), `[filter "evil"]\n\tsmudge = ${evil}\n\tclean = ${evil}\n`);
  config(here, [`includeIf.${condition}.path`, join(here.root, 'more')]);
  here.write('.git/info/attributes', '* filter=evil\n');
};

describe('nothing that a repository names runs', () => {
  const programs: Readonly<Record<string, (here: Ground, evil: string) => void>> = {
    hooks(here, evil) {
      mkdirSync(join(here.workspace, '.git/hooks'), { recursive: true });
      for (const name of hookNames) cpSync(evil, join(here.workspace, '.git/hooks', name));
    },
    'hooks elsewhere'(here, evil) {
      mkdirSync(join(here.workspace, 'hooks'));
      for (const name of hookNames) cpSync(evil, join(here.workspace, 'hooks', name));
      config(here, ['core.hooksPath', join(here.workspace, 'hooks')]);
    },
    filters(here, evil) {
      config(here, ['filter.evil.smudge', evil], ['filter.evil.clean', evil], ['filter.evil.required', 'true']);
      here.write('.git/info/attributes', '* filter=evil\n');
    },
    'filters that run for long'(here, evil) {
      config(here, ['filter.evil.process', evil], ['filter.evil.required', 'true']);
      here.write('.git/info/attributes', '* filter=evil\n');
    },
    'filters of strange names'(here, evil) {
      for (const name of ['a=b', 'A.b c', 'x"y', '*'])
        config(here, [`filter.${name}.smudge`, evil], [`filter.${name}.clean`, evil]);
      here.write('.git/info/attributes', 'a.txt filter=a=b\nsub/b.txt filter=A.b\nnew.txt filter=*\n');
    },
    'filters of an included file'(here, evil) {
      writeFileSync(join(here.root, 'more'), `[filter "evil"]\n\tsmudge = ${evil}\n\tclean = ${evil}\n`);
      config(here, ['include.path', join(here.root, 'more')]);
      here.write('.git/info/attributes', '* filter=evil\n');
    },
    'programs of the configuration'(here, evil) {
      config(
        here,
        ['core.fsmonitor', evil],
        ['core.pager', evil],
        ['core.editor', evil],
        ['core.sshCommand', evil],
        ['diff.external', evil],
        ['commit.gpgSign', 'true'],
        ['gpg.program', evil],
        ['diff.evil.textconv', evil],
        ['diff.evil.command', evil],
        ['merge.evil.driver', evil],
        ['alias.worktree', `!${evil}`],
        ['core.alternateRefsCommand', evil],
      );
      here.write('.git/info/attributes', '* diff=evil merge=evil\n');
    },
    'hooks of the configuration'(here, evil) {
      config(
        here,
        ...['post-checkout', 'reference-transaction', 'post-index-change'].flatMap(
          (event) =>
            [
              [`hook.${event}.command`, evil],
              [`hook.${event}.event`, event],
            ] as const,
        ),
      );
    },
  };

  test.each(Object.keys(programs))('%s', (name) => {
    const here = ground();
    programs[name]?.(here, script(here));
    wholeLife(here);
    expect(existsSync(here.touched) ? readFileSync(here.touched, 'utf8') : 'nothing').toBe('nothing');
  });

  const unseen: Readonly<Record<string, (here: Ground, evil: string) => void>> = {
    'on the new branch alone': (here, evil) => includeOn(here, evil, 'onbranch:holdfast/**'),
    'below worktrees alone': (here, evil) => includeOn(here, evil, 'gitdir:**/worktrees/**'),
    'by a byte that is not text'(here, evil) {
      const name = Buffer.from('e\xff', 'latin1');
      appendFileSync(
        join(here.workspace, '.git/config'),
        Buffer.concat([Buffer.from('[filter "'), name, Buffer.from(`"]\n\tsmudge = ${evil}\n`)]),
      );
      mkdirSync(join(here.workspace, '.git/info'), { recursive: true });
      writeFileSync(
        join(here.workspace, '.git/info/attributes'),
        Buffer.concat([Buffer.from('* filter='), name, Buffer.from('\n')]),
      );
    },
  };

  test.each(Object.keys(unseen))('a filter %s: the repository is refused', (name) => {
    const here = ground();
    unseen[name]?.(here, script(here));
    expect(() => createWorktree(here)).toThrow(expect.objectContaining({ code: 'HF_WORKTREE_REFUSED' }));
    expect([existsSync(here.touched), existsSync(here.directory) ? readdirSync(here.directory) : []]).toEqual([
      false,
      [],
    ]);
    here.git(['worktree', 'add', '--quiet', '-b', 'holdfast/x', join(here.root, 'plain')]);
    expect(existsSync(here.touched), 'plain git runs it').toBe(true);
  });

  test('the same things run with plain git, so the attacks are ones', () => {
    for (const name of [
      'hooks',
      'hooks elsewhere',
      'filters',
      'filters of strange names',
      'filters of an included file',
      'programs of the configuration',
    ]) {
      const here = ground();
      programs[name]?.(here, script(here));
      here.write('a.txt', 'changed\n');
      try {
        here.git(['worktree', 'add', '--quiet', '-b', 'plain', join(here.root, 'plain')]);
        here.git(['status']);
      } catch {
        // A filter without output is an error of git, after the filter has run.
      }
      expect(existsSync(here.touched), name).toBe(true);
    }
  });

  test('a fetch of what is missing', () => {
    const here = ground();
    const blob = here.git(['rev-parse', 'HEAD:a.txt']);
    config(
      here,
      ['remote.evil.url', `ext::${script(here)}`],
      ['remote.evil.promisor', 'true'],
      ['extensions.partialClone', 'evil'],
      ['protocol.ext.allow', 'always'],
      ['protocol.allow', 'always'],
      ['core.repositoryFormatVersion', '1'],
    );
    rmSync(join(here.workspace, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
    expect(() => createWorktree(here)).toThrow(/git worktree: /u);
    expect({ touched: existsSync(here.touched), left: readdirSync(here.directory) }).toEqual({
      touched: false,
      left: [],
    });
  });

  test('a repository in the worktree, which has a configuration of its own', () => {
    const here = ground();
    const { id, path } = createWorktree(here);
    const evil = script(here);
    for (const nested of ['nested', 'sub']) {
      here.git(['init', '--quiet', join(path, nested)]);
      writeFileSync(join(path, nested, 'c.txt'), 'x\n');
      here.git(['add', '-A'], join(path, nested));
      here.git(['commit', '--quiet', '-m', 'x'], join(path, nested));
      for (const [key, value] of [
        ['filter.evil.clean', evil],
        ['core.fsmonitor', evil],
      ] as const)
        here.git(['config', key, value], join(path, nested));
      writeFileSync(join(path, nested, '.git/info/attributes'), '* filter=evil\n');
      writeFileSync(join(path, nested, 'c.txt'), 'changed\n');
    }
    const { leftOut, summary } = handBack(here.directory, id);
    expect({ leftOut, touched: existsSync(here.touched) }).toEqual({ leftOut: ['nested/'], touched: false });
    expect(summary).not.toContain('nested');
    removeWorktree({ directory: here.directory, id, uncommitted: 'discard' });
    expect(existsSync(here.touched)).toBe(false);
  });

  test('a submodule that is checked out', () => {
    const here = ground();
    here.git(['init', '--quiet', join(here.root, 'lib')]);
    here.git(['commit', '--quiet', '--allow-empty', '-m', 'x'], join(here.root, 'lib'));
    here.git(['submodule', '--quiet', 'add', join(here.root, 'lib'), 'lib']);
    here.git(['commit', '--quiet', '-m', 'lib']);
    const evil = script(here);
    config(here, ['submodule.recurse', 'true'], ['submodule.lib.update', `!${evil}`]);
    writeFileSync(join(here.workspace, '.git/modules/lib/hooks/post-checkout'), readFileSync(evil), { mode: 0o755 });
    wholeLife(here);
    expect(existsSync(here.touched)).toBe(false);
  });

  test('variables of the caller', () => {
    const here = ground();
    const evil = script(here);
    const before = { ...process.env };
    Object.assign(process.env, {
      GIT_EXTERNAL_DIFF: evil,
      GIT_SSH_COMMAND: evil,
      GIT_DIR: '/nonexistent',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: evil,
      GIT_EXEC_PATH: here.root,
      PATH: here.root,
    });
    try {
      wholeLife(here);
    } finally {
      for (const name of [
        'GIT_EXTERNAL_DIFF',
        'GIT_SSH_COMMAND',
        'GIT_DIR',
        'GIT_CONFIG_COUNT',
        'GIT_CONFIG_KEY_0',
        'GIT_CONFIG_VALUE_0',
        'GIT_EXEC_PATH',
      ])
        delete process.env[name];
      Object.assign(process.env, before);
    }
    expect(existsSync(here.touched)).toBe(false);
  });
});

describe('a repository that leads elsewhere is refused, and the other one is not touched', () => {
  const detours: Readonly<Record<string, (here: Ground, victim: Ground) => void>> = {
    'a link for .git'(here, victim) {
      rmSync(join(here.workspace, '.git'), { recursive: true });
      symlinkSync(join(victim.workspace, '.git'), join(here.workspace, '.git'));
    },
    'a file for .git'(here, victim) {
      rmSync(join(here.workspace, '.git'), { recursive: true });
      writeFileSync(join(here.workspace, '.git'), `gitdir: ${victim.workspace}/.git\n`);
    },
    commondir(here, victim) {
      writeFileSync(join(here.workspace, '.git/commondir'), `${victim.workspace}/.git\n`);
    },
    'a link for worktrees'(here, victim) {
      mkdirSync(join(victim.workspace, '.git/worktrees'));
      symlinkSync(join(victim.workspace, '.git/worktrees'), join(here.workspace, '.git/worktrees'));
    },
    'a link for refs'(here, victim) {
      rmSync(join(here.workspace, '.git/refs'), { recursive: true });
      symlinkSync(join(victim.workspace, '.git/refs'), join(here.workspace, '.git/refs'));
    },
  };

  test.each(Object.keys(detours))('%s', (name) => {
    const [here, victim] = [ground(), ground()];
    detours[name]?.(here, victim);
    expect(() => createWorktree(here)).toThrow(/could lead into another repository|not a repository of its own/u);
    expect({
      branches: victim.git(['branch', '--list']),
      worktrees: victim.git(['worktree', 'list']).split('\n').length,
      made: existsSync(here.directory),
    }).toEqual({ branches: '* main', worktrees: 1, made: false });
  });

  test('core.worktree does not move it', () => {
    const [here, victim] = [ground(), ground()];
    config(here, ['core.worktree', victim.workspace]);
    wholeLife(here);
    expect(victim.git(['status', '--porcelain'])).toBe('');
  });
});

describe('what an agent did to its worktree', () => {
  test('removing follows no link', () => {
    const here = ground();
    const { id, path } = createWorktree(here);
    mkdirSync(join(here.root, 'precious'));
    writeFileSync(join(here.root, 'precious/file'), 'x');
    symlinkSync(join(here.root, 'precious'), join(path, 'link'));
    rmSync(join(path, 'sub'), { recursive: true });
    symlinkSync(join(here.root, 'precious'), join(path, 'sub'));
    mkdirSync(join(path, 'closed/deep'), { recursive: true });
    chmodSync(join(path, 'closed'), 0);
    removeWorktree({ directory: here.directory, id, uncommitted: 'discard' });
    expect({ precious: readdirSync(join(here.root, 'precious')), left: readdirSync(here.directory) }).toEqual({
      precious: ['file'],
      left: [],
    });
  });

  test('a link in place of the worktree goes, and not what it leads to', () => {
    const here = ground();
    const { id, path } = createWorktree(here);
    rmSync(path, { recursive: true });
    symlinkSync(here.workspace, path);
    expect(() => handBack(here.directory, id)).toThrow(/is not a directory/u);
    removeWorktree({ directory: here.directory, id, uncommitted: 'discard' });
    expect(readFileSync(join(here.workspace, 'a.txt'), 'utf8')).toBe('one\n');
  });

  test('another .git in it is not looked at', () => {
    const here = ground();
    const { id, path, branch } = createWorktree(here);
    unlinkSync(join(path, '.git'));
    here.git(['init', '--quiet', path]);
    here.git(['config', 'core.fsmonitor', script(here)], path);
    writeFileSync(join(path, 'a.txt'), 'changed\n');
    handBack(here.directory, id);
    expect(here.git(['show', `${branch}:a.txt`])).toBe('changed');
    expect(existsSync(here.touched)).toBe(false);
  });

  test('another branch in it is not taken for its own', () => {
    const here = ground();
    const { id, path } = createWorktree(here);
    here.git(['checkout', '--quiet', '-b', 'other'], path);
    expect(() => handBack(here.directory, id)).toThrow(/no longer on its branch/u);
  });

  test('a file that became a directory, and a directory that became a file', () => {
    const here = ground();
    const { id, path, branch } = createWorktree(here);
    rmSync(join(path, 'a.txt'));
    mkdirSync(join(path, 'a.txt'));
    writeFileSync(join(path, 'a.txt/x'), 'x');
    rmSync(join(path, 'sub'), { recursive: true });
    writeFileSync(join(path, 'sub'), 'x');
    expect(handBack(here.directory, id).leftOut).toEqual([]);
    expect(here.git(['ls-tree', '-r', '--name-only', branch]).split('\n')).toEqual(['a.txt/x', 'sub']);
  });

  test('a file beyond a link is not committed', () => {
    const here = ground();
    const { id, path, branch } = createWorktree(here);
    mkdirSync(join(here.root, 'outside'));
    writeFileSync(join(here.root, 'outside/b.txt'), 'secret\n');
    rmSync(join(path, 'sub'), { recursive: true });
    symlinkSync(join(here.root, 'outside'), join(path, 'sub'));
    handBack(here.directory, id);
    expect(
      here
        .git(['ls-tree', '-r', branch])
        .split('\n')
        .map((line) => line.replace(/ .*\t/u, ' ')),
    ).toEqual(['100644 a.txt', '120000 sub']);
  });
});

describe('only what carries our marker is touched', () => {
  test.each([
    '',
    '.',
    '..',
    '../..',
    '--all',
    '-f',
    '0123',
    '0123456789ABCDEF',
    '0123456789abcdef/..',
    '0123456789abcdef\0',
  ])('%j is the name of none', (id) => {
    const here = ground();
    createWorktree(here);
    expect(() => removeWorktree({ directory: here.directory, id, uncommitted: 'discard' })).toThrow(
      /is not the name of a worktree/u,
    );
    expect(() => handBack(here.directory, id)).toThrow(/is not the name of a worktree/u);
  });

  const id = '0123456789abcdef';
  const foreign: Readonly<
    Record<string, (place: string, made: { readonly id: string; readonly directory: string }) => void>
  > = {
    'a directory without a marker': (place) => mkdirSync(place),
    'a file': (place) => writeFileSync(place, ''),
    'a link to a worktree': (place, made) => symlinkSync(join(made.directory, made.id), place),
    'a copy of a worktree': (place, made) => cpSync(join(made.directory, made.id), place, { recursive: true }),
    'a worktree that was moved': (place, made) => renameSync(join(made.directory, made.id), place),
    'a link for the marker'(place, made) {
      mkdirSync(place);
      symlinkSync(join(made.directory, made.id, 'worktree.json'), join(place, 'worktree.json'));
    },
    'a marker that leads out'(place, made) {
      mkdirSync(place);
      writeFileSync(
        join(place, 'worktree.json'),
        readFileSync(join(made.directory, made.id, 'worktree.json'), 'utf8')
          .replaceAll(made.id, id)
          .replace(/"branch":"[^"]*"/u, '"branch":"../../x"'),
      );
    },
    'a marker that is not JSON'(place) {
      mkdirSync(place);
      writeFileSync(join(place, 'worktree.json'), '['.repeat(10_000));
    },
    'a marker that is too large'(place, made) {
      mkdirSync(place);
      writeFileSync(
        join(place, 'worktree.json'),
        `${readFileSync(join(made.directory, made.id, 'worktree.json'), 'utf8').replaceAll(made.id, id)}${' '.repeat(70_000)}`,
      );
    },
  };

  test.each(Object.keys(foreign))('%s', (name) => {
    const here = ground();
    const made = createWorktree(here);
    const place = join(here.directory, id);
    foreign[name]?.(place, { id: made.id, directory: here.directory });
    expect(() => removeWorktree({ directory: here.directory, id, uncommitted: 'discard' })).toThrow(
      /was not made by Holdfast|carries the marker of/u,
    );
    expect(existsSync(place)).toBe(true);
    expect(listWorktrees(here.directory).map((each) => each.id)).not.toContain(id);
    createWorktree(here);
    expect(existsSync(place)).toBe(true);
  });
});

describe('the place', () => {
  test('is never in the workspace or around it', () => {
    const here = ground();
    for (const directory of [join(here.workspace, 'state'), here.root])
      expect(() => createWorktree({ ...here, directory }), directory).toThrow(
        /cannot be inside the workspace, or contain it/u,
      );
    symlinkSync(here.workspace, join(here.root, 'link'));
    expect(() => createWorktree({ ...here, directory: join(here.root, 'link/state') })).toThrow(
      /cannot be inside the workspace/u,
    );
  });

  test('is no link', () => {
    const here = ground();
    mkdirSync(join(here.root, 'elsewhere'));
    symlinkSync(join(here.root, 'elsewhere'), join(here.root, 'link'));
    expect(() => createWorktree({ ...here, directory: join(here.root, 'link') })).toThrow(
      /is not a directory of yours/u,
    );
  });
});

test.each(['--upload-pack=touch x', '../..', '-b', 'refs/heads/x', 'a\nb'])(
  'a branch cannot be called %j',
  (branch) => {
    const here = ground();
    expect(() => createWorktree({ ...here, branch })).toThrow(/is not a valid branch name/u);
    expect(here.git(['branch', '--list'])).toBe('* main');
  },
);
