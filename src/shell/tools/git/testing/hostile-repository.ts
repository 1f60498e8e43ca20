/** A repository whose configuration runs a canary in every place that git allows, for the tests of the neutral form. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface HostileRepository {
  readonly directory: string;
  /** Runs git as an agent's terminal would: a pager also starts without a terminal. True if the canary ran. */
  readonly sings: (argv: readonly string[], environment?: Readonly<Record<string, string>>) => boolean;
  readonly output: (argv: readonly string[], environment?: Readonly<Record<string, string>>) => string;
  readonly remove: () => void;
}

export type Trap = (place: {
  readonly directory: string;
  readonly canary: string;
  readonly git: (...words: readonly string[]) => void;
  readonly read: (...words: readonly string[]) => string;
}) => void;

/** Two commits of `file.txt`, a change in the working tree, then the trap. */
export function hostileRepository(trap: Trap): HostileRepository {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-git-'));
  const directory = join(root, 'project');
  const sung = join(root, 'sung');
  const canary = join(root, 'canary');
  mkdirSync(directory);
  writeFileSync(canary, `#!/bin/sh\necho "$0 $*" >> ${sung}\n`);
  chmodSync(canary, 0o755);
  const read = (...words: readonly string[]) =>
    execFileSync('git', words, { cwd: directory, env: cleanEnvironment(root), stdio: 'pipe' })
      .toString()
      .trim();
  const git = (...words: readonly string[]) => void read(...words);
  git('init', '-q', '-b', 'main');
  for (const text of ['one\n', 'two\n']) {
    appendFileSync(join(directory, 'file.txt'), text);
    git('add', '.');
    git('commit', '-q', '-m', text.trim());
  }
  trap({ directory, canary, git, read });
  rmSync(sung, { force: true });
  let runs = 0;
  const run = (argv: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const [program = '', ...words] = argv;
    // Same size, and a different time from the last run: git has to read the file, and runs the filters.
    runs += 1;
    utimesSync(join(directory, 'file.txt'), runs, runs);
    return spawnSync(program, words, {
      cwd: directory,
      env: { ...cleanEnvironment(root), ...environment },
      timeout: 10_000,
      input: '',
    });
  };
  return {
    directory,
    output: (argv, environment) => run(argv, environment).stdout.toString(),
    sings: (argv, environment) => {
      rmSync(sung, { force: true });
      run(argv, environment);
      return existsSync(sung);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Excludes the configuration and agents of the test's user. */
function cleanEnvironment(home: string): Record<string, string> {
  const identity = {
    GIT_AUTHOR_NAME: 'Dev',
    GIT_AUTHOR_EMAIL: 'dev@example.com',
    GIT_COMMITTER_NAME: 'Dev',
    GIT_COMMITTER_EMAIL: 'dev@example.com',
  };
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...identity };
}
