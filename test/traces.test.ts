import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { binary, Project } from './lib/holdfast.ts';

/** A repository with three commits. */
function repository(): Project {
  const project = new Project();
  for (const name of ['a', 'b', 'c']) {
    project.write(name, name);
    project.outside('git', ['add', name]);
    project.outside('git', ['commit', '-q', '-m', name]);
  }
  return project;
}

const begin = `GIT_SEQUENCE_EDITOR='sed -i 1ibreak' git rebase -q -i -x "echo it\\\\'s >> log" HEAD~2`;

describe('a rebase that a box leaves unfinished', () => {
  test('continues in the next box, with its commands', () => {
    using project = repository();
    const first = project.inside(begin);
    expect(first.stderr).toContain("holdfast makes them run in a box: echo it\\'s >> log");
    expect(project.inside('git rebase --continue')).toMatchObject({ status: 0 });
    expect(readFileSync(join(project.workspace, 'log'), 'utf8')).toBe("it's\nit's\n");
  });

  test('continues outside, with its commands in a box', () => {
    using project = repository();
    const canary = join(project.root, 'outside');
    project.inside(
      `GIT_SEQUENCE_EDITOR='sed -i 1ibreak' git rebase -q -i -x 'echo $HOLDFAST >> log; touch ${canary} || true' HEAD~1`,
    );
    mkdirSync(join(project.root, 'bin'));
    symlinkSync(binary, join(project.root, 'bin/holdfast'));
    const PATH = `${join(project.root, 'bin')}:${dirname(process.execPath)}:${project.environment['PATH'] ?? ''}`;
    const done = project.outside('env', [`PATH=${PATH}`, 'git', 'rebase', '--continue']);
    expect(done).toMatchObject({ status: 0 });
    expect(readFileSync(join(project.workspace, 'log'), 'utf8')).not.toBe('\n');
    expect(existsSync(canary)).toBe(false);
  });

  test('keeps the commands of a person’s own rebase', () => {
    using project = repository();
    project.outside('env', [
      'GIT_SEQUENCE_EDITOR=sed -i 1ibreak',
      'git',
      'rebase',
      '-q',
      '-i',
      '-x',
      'echo own',
      'HEAD~2',
    ]);
    const list = join(project.workspace, '.git/rebase-merge/git-rebase-todo');
    const commands = () => readFileSync(list, 'utf8').match(/^exec .*$/gmu);
    const before = commands();
    expect(before).toHaveLength(2);
    expect(project.inside('GIT_EDITOR=true git rebase --edit-todo').stderr).toBe('');
    expect(commands()).toEqual(before);
  });
});

describe('no notice appears for', () => {
  test.each([
    [
      'the usual work with git',
      'echo x > d; git add d; git commit -q -m d; git branch e; git checkout -q e; git gc -q',
    ],
    ['a virtual environment', 'mkdir -p venv/bin; ln -s /usr/bin/env venv/bin/python; ln -s python venv/bin/python3'],
    ['links that stay', 'mkdir -p x/y; ln -s ../../a x/y/a; ln -s "$PWD/a" whole; ln -s ../ws/a around'],
    ['links and FIFOs that went', 'ln -s ../home l; mkfifo f; rm l f'],
    ['a sparse checkout', 'git sparse-checkout set --no-cone /a 2> /dev/null; true'],
  ])('%s', (_what, script) => {
    using project = repository();
    expect(project.inside(script).stderr).toBe('');
  });
});

test('an accept tells of what acts later', () => {
  using project = repository();
  project.outside('git', ['config', 'core.abbrev', '8']);
  const script = 'ln -s /etc/passwd l; mkfifo f; echo a >> .git/info/exclude; git update-index --assume-unchanged b';
  expect(
    project.inside(`${script}; mkdir v; ln -s /usr/bin/env v/python; ln -s ../a v/a`, ['--staged']).stderr,
  ).not.toContain('left a link');
  const { status, stderr } = project.holdfast(['accept']);
  expect({ status, lines: stderr.split('\n').toSorted() }).toEqual({
    status: 0,
    lines: [
      '',
      `holdfast: the command changed ${project.workspace}/.git/info/exclude; git status leaves out: a`,
      `holdfast: the command has git status leave out changes of: b (${project.workspace}/.git/index)`,
      `holdfast: the command left a FIFO, at which a program that opens it waits: ${project.workspace}/f`,
      `holdfast: the command left a link out of the workspace: ${project.workspace}/l leads to /etc/passwd`,
    ],
  });
});

test('a run with a staged layer changes nothing of git yet, and the review marks the rebase', () => {
  using project = repository();
  const run = project.inside(begin, ['--staged']);
  expect(run.stderr).not.toContain('rebase in progress');
  expect(project.holdfast(['review', '--patch']).stdout).toContain(
    "git rebase --continue would run: echo it\\'s >> log",
  );
});
