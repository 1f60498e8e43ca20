import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { backends, Project } from './lib/holdfast.ts';

/** Protected and hidden names inside, around and beside refused paths: neither may restore the other. */
interface Case {
  readonly title: string;
  readonly policy?: string;
  readonly files: readonly string[];
  /** Names of links, with their targets. */
  readonly links?: Readonly<Record<string, string>>;
  /** Files that the box cannot read, or cannot write. */
  readonly unread?: readonly string[];
  readonly unwritten?: readonly string[];
  readonly written?: readonly string[];
}

const cases: readonly Case[] = [
  {
    title: 'a protected name in a denied directory',
    policy: 'deny = ["a"]',
    files: ['a/x', 'a/b/.circleci/s'],
    unread: ['a/x', 'a/b/.circleci/s'],
  },
  {
    title: 'a denied directory beside a protected name',
    policy: 'deny = ["a/secret"]',
    files: ['a/secret/x', 'a/.circleci/s', 'a/y'],
    unread: ['a/secret/x'],
    unwritten: ['a/.circleci/s'],
    written: ['a/y'],
  },
  {
    title: 'a protected name in a protected directory',
    policy: 'protect = ["a"]',
    files: ['a/x', 'a/b/y', 'a/b/.circleci/s'],
    unwritten: ['a/x', 'a/b/y', 'a/b/.circleci/s'],
  },
  {
    title: 'a hidden file in a protected directory',
    policy: 'protect = ["a"]',
    files: ['a/b/.env', 'a/b/y'],
    unread: ['a/b/.env'],
    unwritten: ['a/b/y'],
  },
  {
    title: 'a hidden file in a protected name',
    files: ['.circleci/x/.env', '.circleci/s', '.circleci/x/y'],
    unread: ['.circleci/x/.env'],
    unwritten: ['.circleci/s', '.circleci/x/y'],
  },
  {
    title: 'a protected name in one that is denied by name',
    policy: 'deny = ["**/private"]',
    files: ['private/.circleci/s', 'b/private/x'],
    unread: ['private/.circleci/s', 'b/private/x'],
  },
  {
    title: 'what is denied and hidden at once',
    policy: 'deny = [".env", "a/.env"]',
    files: ['.env', 'a/.env', 'a/x'],
    unread: ['.env', 'a/.env'],
    written: ['a/x'],
  },
  {
    title: 'what is denied and protected at once',
    policy: 'deny = [".gitlab-ci.yml", ".circleci"]',
    files: ['.gitlab-ci.yml', '.circleci/s'],
    unread: ['.gitlab-ci.yml', '.circleci/s'],
  },
  {
    title: 'what a hidden link leads to, beside other names',
    files: ['a/b/x', 'a/b/.env', 'a/b/c/.circleci/s', 'z'],
    links: { 'links/.env': '../a/b/x' },
    unread: ['a/b/x', 'a/b/.env'],
    unwritten: ['a/b/c/.circleci/s'],
    written: ['z'],
  },
  {
    title: 'what a hidden link leads to, in a protected directory',
    files: ['.circleci/s', '.circleci/t'],
    links: { 'links/.env': '../.circleci/s' },
    unread: ['.circleci/s'],
    unwritten: ['.circleci/t'],
  },
  {
    title: 'submodules of a git directory',
    files: ['.git/modules/lib/hooks/x', '.git/modules/lib/config', '.git/modules/lib/y'],
    unwritten: ['.git/modules/lib/hooks/x', '.git/modules/lib/config'],
    written: ['.git/modules/lib/y'],
  },
];

describe.each(backends)('with %s', (backend) => {
  test.each(cases)('$title', ({ policy, files, links = {}, unread = [], unwritten = [], written = [] }) => {
    using project = new Project();
    for (const file of files) project.write(file, 'content\n');
    for (const [name, to] of Object.entries(links)) {
      mkdirSync(join(project.workspace, name, '..'), { recursive: true });
      symlinkSync(to, join(project.workspace, name));
    }
    if (policy !== undefined)
      project.write('../home/.config/holdfast/policy.toml', `version = 1\n[files]\n${policy}\n`);
    const script = `
      for file in ${unread.join(' ')}; do if cat $file; then echo read $file; fi; done
      for file in ${[...unread, ...unwritten].join(' ')}; do if echo changed > $file; then echo wrote $file; fi; done
      for file in ${written.join(' ')}; do echo changed > $file || echo kept $file; done
      echo done`;
    const { status, stdout, stderr } = project.inside(`(${script}) 2>/dev/null`, ['--backend', backend]);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'done\n', stderr: '' });
    for (const file of [...unread, ...unwritten]) expect(project.outside('cat', [file]).stdout, file).toBe('content\n');
    for (const file of written) expect(project.outside('cat', [file]).stdout, file).toBe('changed\n');
  });
});
