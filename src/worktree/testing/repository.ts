import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface Ground {
  readonly root: string;
  readonly workspace: string;
  /** Directory of the worktrees, which does not exist yet. */
  readonly directory: string;
  /** A file that an attack makes. */
  readonly touched: string;
  /** Runs the system's plain git, in the workspace or elsewhere. Returns its output. */
  readonly git: (words: readonly string[], cwd?: string) => string;
  readonly write: (path: string, content: string) => void;
}

/** A repository with one commit. */
export function ground(): Ground {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'holdfast-worktree-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, 'workspace');
  mkdirSync(workspace);
  const git: Ground['git'] = (words, cwd = workspace) => {
    const { status, stdout, stderr } = spawnSync(
      '/usr/bin/git',
      ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'protocol.file.allow=always', ...words],
      { cwd, encoding: 'utf8', env: { PATH: '/usr/bin:/bin', HOME: root, GIT_CONFIG_NOSYSTEM: '1' } },
    );
    if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
    return stdout.trimEnd();
  };
  const write: Ground['write'] = (path, content) => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  };
  git(['init', '--quiet', '--initial-branch=main']);
  write('a.txt', 'one\n');
  write('sub/b.txt', 'two\n');
  git(['add', '-A']);
  git(['commit', '--quiet', '-m', 'first']);
  return { root, workspace, directory: join(root, 'state/worktrees'), touched: join(root, 'touched'), git, write };
}
