import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { onTestFinished } from 'vitest';

/** Real path of an empty directory that is removed after the test. */
export function scratchDirectory(): string {
  const directory = realpathSync.native(mkdtempSync(join(tmpdir(), 'holdfast-test-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes files below a directory, with their parent directories. A path that ends in `/` becomes a directory. */
export function plant(directory: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(path, content);
  }
}

/** Runs the installed git with only its default configuration. */
export function git(cwd: string, ...words: readonly string[]): string {
  const { PATH = '/usr/bin:/bin' } = process.env;
  const identity = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  };
  return execFileSync('git', words, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', ...identity },
  });
}

/** A repository with one commit. */
export function repository(path: string): string {
  mkdirSync(path, { recursive: true });
  git(path, 'init', '-q');
  git(path, 'commit', '-q', '--allow-empty', '-m', 'first');
  return path;
}

/** Adds a submodule as `git submodule add` does. Since 2.38, git refuses local paths without an option. */
export function addSubmodule(into: string, from: string, name: string): string {
  git(into, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', from, name);
  return join(into, name);
}
