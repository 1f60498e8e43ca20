import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Project } from './lib/holdfast.ts';
import { ResidentProject } from './lib/resident.ts';

const url = 'https://bot:s3cret@git.example/a.git';
const told = 'holdfast: the command sees copies without secrets: .git/config (remote "origin".url)\n';

test('git works with the copy, which the person and the journal learn of', () => {
  using project = new Project();
  project.outside('git', ['remote', 'add', 'origin', url]);
  const { status, stdout, stderr } = project.inside(
    'git remote get-url origin && git commit -q --allow-empty -m one && git status --short && cat .git/config',
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: told });
  expect(stdout).toContain('https://bot@git.example/a.git\n');
  expect(stdout).not.toContain('s3cret');
  expect(readFileSync(join(project.state, 'journal.jsonl'), 'utf8')).toContain('"redacted":["');
  expect(readFileSync(join(project.workspace, '.git/config'), 'utf8')).toContain(url);
});

test('a URL with only a user name is not secret, and causes no notice', () => {
  using project = new Project();
  project.outside('git', ['remote', 'add', 'origin', 'https://you@git.example/a.git']);
  expect(project.inside('git remote get-url origin')).toMatchObject({
    stdout: 'https://you@git.example/a.git\n',
    stderr: '',
  });
});

test.each(['cold', 'warm'] as const)('a %s run sees tokens that appeared or vanished after planning', (way) => {
  using project = new ResidentProject();
  if (way === 'warm') project.serve();
  const environment = way === 'cold' ? { HOLDFAST_RESIDENT: 'never' } : {};
  const look = () => project.holdfast(['run', '--', 'git', 'config', 'remote.origin.url'], { environment });
  project.outside('git', ['remote', 'add', 'origin', 'https://git.example/a.git']);
  expect([look(), look()].map(({ stdout, stderr }) => stdout + stderr)).toEqual(
    Array.from({ length: 2 }, () => 'https://git.example/a.git\n'),
  );
  project.outside('git', ['remote', 'set-url', 'origin', url]);
  expect([look(), look()].map(({ stdout, stderr }) => stderr + stdout)).toEqual(
    Array.from({ length: 2 }, () => `${told}https://bot@git.example/a.git\n`),
  );
  project.outside('git', ['remote', 'set-url', 'origin', 'https://git.example/b.git']);
  expect(look()).toMatchObject({ stdout: 'https://git.example/b.git\n', stderr: '' });
});

test('a person’s grant of the file by name shows the original; a project’s does not', () => {
  using project = new Project();
  const file = project.write('../home/.cargo/config.toml', '[registries.own]\ntoken = "s3cret"\n');
  expect(project.inside(`cat ${file}`).stdout).not.toContain('s3cret');
  project.write('holdfast.toml', `version = 1\nfiles.read = [".", "${file}"]\n`);
  expect(project.inside(`cat ${file}`).stdout).not.toContain('s3cret');
  expect(project.inside(`cat ${file}`, ['--read', file])).toMatchObject({
    stdout: '[registries.own]\ntoken = "s3cret"\n',
    stderr: '',
  });
});

test('a write to a copy fails and is explained, and the grant that is named allows it', () => {
  using project = new Project();
  const file = project.write('gradle.properties', 'org.gradle.jvmargs=-Xmx2g\nsigning.password=s3cretPw9\n');
  const append = 'echo a=b >> gradle.properties; grep -c . gradle.properties';
  const refused = project.inside(append);
  expect(refused.stdout).toBe('2\n');
  expect(refused.stderr).toContain(`${file} is a read-only copy: the original holds a secret`);
  expect(refused.stderr).toContain(`--read "${file}"`);
  expect(project.inside('grep password gradle.properties').stdout).not.toContain('s3cretPw9');
  expect(project.inside(append, ['--read', file])).toMatchObject({ stdout: '3\n', stderr: '' });
});
