import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dealt } from '../scripts/testing/extent.ts';
import { backends, Project } from './lib/holdfast.ts';

describe.each(backends)('with %s', (backend) => {
  const flags = ['--backend', backend];

  test.each(dealt(['a*b', 'a{b,c}', 'a?', '$HOME', '~', 'a b', '\\'], backends.length, backends.indexOf(backend)))(
    '--read and --write take %j literally',
    (name) => {
      using project = new Project();
      project.write(`../${name}/file`, 'content\n');
      project.write('../aXb/file', 'of others\n');
      const shown = project.holdfast([
        'run',
        ...flags,
        '--read',
        `../${name}`,
        '--',
        'cat',
        join(project.root, name, 'file'),
      ]);
      expect(shown).toMatchObject({ status: 0, stdout: 'content\n' });
      const others = project.holdfast([
        'run',
        ...flags,
        '--read',
        `../${name}`,
        '--',
        'cat',
        join(project.root, 'aXb/file'),
      ]);
      expect(others).toMatchObject({ status: 1, stdout: '' });
      const written = project.holdfast([
        'run',
        ...flags,
        '--write',
        `../${name}`,
        '--',
        'touch',
        join(project.root, name, 'new'),
      ]);
      expect(written).toMatchObject({ status: 0, stderr: '' });
    },
  );

  test('paths and workspaces are relative to the working directory', () => {
    using project = new Project();
    project.write('sub/data/file', 'content\n');
    const cwd = join(project.workspace, 'sub');
    mkdirSync(join(cwd, 'other'));
    const shown = project.holdfast(
      [
        'run',
        ...flags,
        '--workspace',
        'other',
        '--read',
        'data',
        '--',
        'sh',
        '-c',
        'pwd; cat ../data/file; touch made ../outside',
      ],
      { cwd },
    );
    expect(shown).toMatchObject({ status: 0, stdout: `${join(cwd, 'other')}\ncontent\n` });
    expect(readdirSync(cwd, { recursive: true }).toSorted()).toEqual(['data', 'data/file', 'other', 'other/made']);
  });

  test.each<[string, string]>([
    ['**/caf?', 'café'],
    ['**/a\\\\*b', 'a*b'],
    ['**/\\\\{x\\\\}', '{x}'],
    ['**/?', '\u{1F511}'],
    ['**/keys/*.key', 'deep/KEYS/a.Key'],
  ])('deny = ["%s"] applies to %s', (pattern, name) => {
    using project = new Project();
    project.write('../home/.config/holdfast/policy.toml', `version = 1\n[files]\ndeny = ["${pattern}"]\n`);
    const file = project.write(name, 'secret');
    expect(project.holdfast(['run', ...flags, '--', 'cat', file])).toMatchObject({ status: 1, stdout: '' });
    expect(
      project.holdfast(['run', ...flags, '--', 'cat', 'note'], {
        cwd: (project.write('note', 'open'), project.workspace),
      }),
    ).toMatchObject({ status: 0, stdout: 'open' });
  });

  test.each([
    ['writing below a protected directory', 'echo 1 > .circleci/config.yml', '.circleci/config.yml'],
    ['reading a hidden file', 'cat sub/.env', 'sub/.env'],
    ['making a hook', 'echo 1 > .git/hooks/pre-push', '.git/config'],
  ])('%s is allowed after the refusal’s remedy', (_, script, file) => {
    using project = new Project();
    if (file !== '.git/config') project.write(file, 'content');
    const refused = project.inside(script, flags);
    expect(refused.status).not.toBe(0);
    const [, line = ''] =
      /; add (files\.release = .*) to ~\/\.config\/holdfast\/policy\.toml$/mu.exec(refused.stderr) ?? [];
    project.write('../home/.config/holdfast/policy.toml', `version = 1\n${line}\n`);
    expect(project.holdfast(['policy', 'check'])).toMatchObject({ status: 0 });
    expect(project.inside(script, flags)).toMatchObject({ status: 0, stderr: '' });
  });

  test('a release does not lift a project’s deny of the same name', () => {
    using project = new Project();
    project.write('.env', 'secret');
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[files]\nrelease = [".env"]\n');
    expect(project.inside('cat .env', flags)).toMatchObject({ status: 0, stdout: 'secret' });
    project.write('holdfast.toml', 'version = 1\n[files]\ndeny = ["**/.env"]\n');
    expect(project.inside('cat .env', flags)).toMatchObject({ status: 1, stdout: '' });
  });

  test('a refusal names the policy file that takes effect', () => {
    using project = new Project();
    const secret = project.write('.env', '');
    const environment = { XDG_CONFIG_HOME: join(project.root, 'settings') };
    const { stderr } = project.holdfast(['run', ...flags, '--', 'cat', secret], { environment });
    expect(stderr).toContain(`add files.release = ["${secret}"] to ${project.root}/settings/holdfast/policy.toml\n`);
    const inside = project.holdfast(
      ['run', ...flags, '--', 'holdfast', 'why', '--path', '/srv/x', '--access', 'read'],
      { environment: { ...environment, PATH: `${join(import.meta.dirname, '../bin')}:${process.env['PATH']}` } },
    );
    expect(inside.stdout).toContain(` to ${project.root}/settings/holdfast/policy.toml, or run with --read /srv/x`);
  });
});

test('holdfast run refuses a value after --env, and does not repeat it', () => {
  using project = new Project();
  const { status, stdout, stderr } = project.holdfast(['run', '--env', 'KEY=s3cret', '--', 'echo', 'ran']);
  expect({ status, stdout, stderr }).toEqual({
    status: 125,
    stdout: '',
    stderr:
      'holdfast: --env takes the name of a variable, without a value\n' +
      'holdfast: to fix it: set it before the command: KEY=… holdfast run --env KEY … [HF_USAGE]\n',
  });
});

const toMend = (flag: string, path: string): string =>
  `holdfast: ${flag} ${path} grants nothing: the path does not exist\n` +
  'holdfast: to fix it: check the spelling, or create it first [HF_USAGE]\n';

describe('paths that do not exist', () => {
  test.each([
    ['--read', '~/nope'],
    ['--write', '../nope'],
    ['--socket', '/run/nope.sock'],
    ['--read', '/etc/passwd/nope'],
  ])('holdfast run refuses %s %s', (flag, path) => {
    using project = new Project();
    const { status, stdout, stderr } = project.holdfast(['run', flag, path, '--', 'echo', 'ran']);
    expect({ status, stdout, stderr }).toEqual({ status: 125, stdout: '', stderr: toMend(flag, path) });
  });

  test('holdfast run accepts them in the workspace, which the command may fill', () => {
    using project = new Project();
    const made = project.holdfast(['run', '--write', 'out', '--', 'mkdir', 'out']);
    expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('holdfast run accepts names of abstract sockets, and ignores missing paths of the policy file', () => {
    using project = new Project();
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[files]\nread = ["~/nope"]\n');
    const run = project.holdfast(['run', '--socket', '@nope', '--', 'true']);
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
  });
});
