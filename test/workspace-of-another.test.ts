import { spawnSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../src/sandbox/index.ts';
import { backends, Project } from './lib/holdfast.ts';
import { ResidentProject } from './lib/resident.ts';

const isRoot = process.getuid?.() === 0;
/** The first id has a line in the password file on many machines, the second on none. */
const owners = [1000, 54_321] as const;

function owned(project: Project, owner: number, paths: readonly string[] = ['.']): void {
  expect(project.outside('chown', ['-R', `${owner}:${owner}`, ...paths]).status).toBe(0);
}

function ownersOf(project: Project, ...paths: readonly string[]): readonly string[] {
  return paths.map((path) => {
    const { uid, gid } = statSync(join(project.workspace, path));
    return `${uid}:${gid}`;
  });
}

/** As the owner would on the host: git reports no dubious ownership. */
function gitAs(owner: number, project: Project, words: string): string {
  chmodSync(project.root, 0o755);
  const { stdout, stderr } = spawnSync('git', words.split(' '), {
    cwd: project.workspace,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
    uid: owner,
    gid: owner,
    encoding: 'utf8',
  });
  return stdout + stderr;
}

describe.skipIf(!isRoot).each(backends)(
  'root in a workspace of another user, in a box of the %s backend,',
  (backend) => {
    const flags = ['--backend', backend];

    test.each(owners)('writes as uid %i, which owns it and its repository', (owner) => {
      using project = new Project();
      project.write('sub/old', 'old\n');
      owned(project, owner);
      chmodSync(project.workspace, 0o700);
      const script = [
        'echo x > a.txt && echo more >> sub/old && mkdir -p d/e && echo y > d/e/f && mv sub/old sub/new && chmod 750 d',
        'git add -A && git commit -qm one && git status --porcelain && git log --format=%s && stat -c %u:%g . a.txt',
      ];
      expect(project.inside(script.join('\n'), flags)).toMatchObject({
        status: 0,
        stdout: 'one\n0:0\n0:0\n',
        stderr: '',
      });
      const made = ['a.txt', 'd', 'd/e/f', 'sub/new', '.git/refs/heads/main', '.git/index'];
      expect(ownersOf(project, ...made)).toEqual(made.map(() => `${owner}:${owner}`));
      expect(gitAs(owner, project, 'log --format=%s')).toBe('one\n');
    });

    test('counts as another user for files of root and third users', () => {
      using project = new Project();
      for (const path of ['roots/file', 'third/file', 'open/file', 'group/file']) project.write(path, 'kept\n');
      owned(project, 1000);
      owned(project, 0, ['roots']);
      owned(project, 1001, ['third', 'open']);
      project.outside('chown', ['-R', '1001:1000', 'group']);
      project.outside('chmod', ['600', 'roots/file', 'third/file']);
      project.outside('chmod', ['-R', 'a+rwX', 'open']);
      project.outside('chmod', ['-R', 'g+rwX', 'group']);
      const words = ['roots', 'third', 'open', 'group'].map((name) => `echo ${name} > ${name}/new && cat ${name}/file`);
      expect(project.inside(words.join('; '), flags).stdout).toBe('kept\nkept\n');
      expect(ownersOf(project, 'roots/file', 'third/file', 'open/new', 'group/new')).toEqual([
        '0:0',
        '1001:1001',
        '1000:1000',
        '1000:1000',
      ]);
    });

    test('lacks its owner’s rights in other visible directories', () => {
      using project = new Project();
      const beside = project.write('../beside/secret', 'secret\n');
      owned(project, 1000, ['.', '../beside']);
      chmodSync(beside, 0o600);
      const { stdout, status } = project.inside(`cat ${beside}`, [...flags, '--read', join(project.root, 'beside')]);
      expect([stdout, status]).toEqual(['', 1]);
    });

    test('has all protection of the workspace', () => {
      using project = new Project();
      project.write('.env', 'KEY=1\n');
      project.write('.git/hooks/pre-commit', 'exit 0\n');
      owned(project, 1000);
      const { stdout } = project.inside('cat .env; echo x >> .git/hooks/pre-commit; echo x > .bashrc; echo end', flags);
      expect(stdout).toBe('end\n');
      expect(project.outside('cat', ['.git/hooks/pre-commit']).stdout).toBe('exit 0\n');
    });

    test('reaches the repository of a linked worktree', () => {
      using project = new Project();
      project.write('a', 'a\n');
      for (const words of ['add a', 'commit -qm one', 'worktree add -q ../tree'])
        project.outside('git', words.split(' '));
      owned(project, 1000, ['.', '../tree']);
      const tree = join(project.root, 'tree');
      const shell = ['sh', '-c', 'echo b > b && git add b && git commit -qm two && git log --format=%s'];
      expect(project.holdfast(['run', ...flags, '--', ...shell], { cwd: tree })).toMatchObject({
        status: 0,
        stdout: 'two\none\n',
      });
      expect(gitAs(1000, project, 'log --format=%s tree')).toBe('two\none\n');
    });

    test('gets no access to the repository of a third user behind a linked worktree', () => {
      using project = new Project();
      project.write('a', 'a\n');
      for (const words of ['add a', 'commit -qm one', 'worktree add -q ../tree'])
        project.outside('git', words.split(' '));
      owned(project, 1001);
      owned(project, 1000, ['../tree']);
      chmodSync(join(project.workspace, '.git'), 0o755);
      const shell = ['sh', '-c', `echo b > b; echo x > ${project.workspace}/.git/planted`];
      expect(project.holdfast(['run', ...flags, '--', ...shell], { cwd: join(project.root, 'tree') }).status).not.toBe(
        0,
      );
      expect(ownersOf(project, '../tree/b')).toEqual(['1000:1000']);
      expect(project.outside('ls', ['.git/planted']).status).not.toBe(0);
    });

    test('finds nothing changed if root owns the workspace', () => {
      using project = new Project();
      project.write('of-another/file', 'kept\n');
      owned(project, 1000, ['of-another']);
      expect(project.inside('echo x > a; echo x > of-another/a; stat -c %u a of-another', flags).stdout).toBe(
        '0\n65534\n',
      );
      expect(ownersOf(project, 'a')).toEqual(['0:0']);
    });
  },
);

test.skipIf(!isRoot)('root’s staged and accepted files belong to the owner', () => {
  using project = new Project();
  project.write('kept', 'kept\n');
  project.write('sub/gone', 'gone\n');
  owned(project, 1000);
  const { status, stderr } = project.inside('echo x > new && echo more >> kept && rm -r sub && mkdir dir', [
    '--staged',
  ]);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('another user')]);
  expect(project.holdfast(['accept', '--all'])).toMatchObject({ status: 0 });
  expect(ownersOf(project, 'new', 'kept', 'dir')).toEqual(['1000:1000', '1000:1000', '1000:1000']);
  expect(project.outside('cat', ['kept']).stdout).toBe('kept\nmore\n');
  expect(project.holdfast(['undo'])).toMatchObject({ status: 0 });
  expect(ownersOf(project, 'kept', 'sub/gone')).toEqual(['1000:1000', '1000:1000']);
  expect(project.outside('ls', ['new']).status).not.toBe(0);
});

test.skipIf(!isRoot)('a sandbox of root writes files and commits in a workspace of another user', async () => {
  using project = new Project();
  owned(project, 1000);
  const place = { workspace: project.workspace, environment: project.libraryEnvironment };
  for (const staged of [undefined, 'new'] as const) {
    await using sandbox = await Sandbox.create({ ...place, ...(staged === undefined ? {} : { staged }) });
    await sandbox.files.write('written', 'x\n');
    const shell = [
      'sh',
      '-c',
      'cat written && git add -A && git -c user.name=a -c user.email=a@b commit -qm one --allow-empty && git log -1 --format=%s',
    ];
    const ran = await Promise.all([sandbox.commands.run(['cat', 'written']), sandbox.commands.run(shell)]);
    expect(ran.map(({ exitCode, stdout }) => [exitCode, String(stdout)])).toEqual([
      [0, 'x\n'],
      [0, 'x\none\n'],
    ]);
  }
  expect(ownersOf(project, 'written', '.git/HEAD', '.git/refs/heads/main')).toEqual(Array(3).fill('1000:1000'));
});

test.skipIf(!isRoot)('boxes of the resident supervisor do too, and notice a new owner', () => {
  using project = new ResidentProject();
  project.serve();
  for (const owner of [1000, 54_321, 0]) {
    owned(project, owner);
    expect(project.inside(`echo x > of-${owner} && git status --porcelain | wc -l`)).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(ownersOf(project, `of-${owner}`)).toEqual([`${owner}:${owner}`]);
  }
});

test.skipIf(!isRoot)('the landlock backend reports that it cannot', () => {
  using project = new Project();
  owned(project, 1000);
  const { stderr, status } = project.inside('echo x > a', ['--backend', 'landlock']);
  expect(status).not.toBe(0);
  expect(stderr).toContain(`holdfast: ${project.workspace} belongs to another user (uid 1000)`);
});
