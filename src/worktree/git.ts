import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { HoldfastError } from '../errors/index.ts';
import { neutralEnvironment, neutralGlobals } from '../shell/tools/git/neutralise.ts';
import { failed } from './failure.ts';

/** Only where the system puts it: a `git` in a workspace would be the repository's own. */
const places = ['/usr/bin/git', '/usr/local/bin/git', '/bin/git', '/run/current-system/sw/bin/git'] as const;

/** Named, never looked for: a search would take the configuration of whatever it finds. */
export interface GitPlace {
  readonly gitDirectory: string;
  readonly workTree: string;
}

export interface GitOptions {
  /** Settings that stand above every file, as exact keys. Default: none. */
  readonly settings?: Settings;
  readonly input?: Buffer;
  /** Exit statuses that are answers. Default: 0. */
  readonly statuses?: readonly number[];
}

export type Settings = readonly (readonly [key: string, value: string])[];

export interface GitAnswer {
  readonly status: number;
  readonly stdout: Buffer;
}

const patience = 120_000;
const mostOutput = 1 << 28;

/**
 * Runs git without a shell. Throws `HF_BACKEND_MISSING` where there is none, and `HF_WORKTREE_FAILED` with its first
 * line for any other status.
 */
export function runGit(
  place: GitPlace,
  words: readonly string[],
  { settings = [], input, statuses = [0] }: GitOptions = {},
): GitAnswer {
  const { status, stdout, stderr, error } = spawnSync(findGit(), [...neutralGlobals, ...words], {
    cwd: place.workTree,
    env: {
      ...environment,
      ...neutralEnvironment,
      GIT_DIR: place.gitDirectory,
      GIT_WORK_TREE: place.workTree,
      ...settingVariables([...fixed, ...settings]),
    },
    input: input ?? Buffer.alloc(0),
    timeout: patience,
    killSignal: 'SIGKILL',
    maxBuffer: mostOutput,
  });
  if (error !== undefined || status === null) throw failed(`git ${words[0] ?? ''} did not end well`, error);
  if (!statuses.includes(status))
    throw failed(`git ${words[0] ?? ''}: ${stderr.toString('utf8').split('\n', 1)[0] ?? ''}`);
  return { status, stdout };
}

/** The one line that it prints. */
export function gitLine(place: GitPlace, words: readonly string[], options?: GitOptions): string {
  return runGit(place, words, options).stdout.toString('utf8').trimEnd();
}

/** Nothing of the caller's environment: `GIT_SSH_COMMAND`, `GIT_EXTERNAL_DIFF` and their like name programs. */
const environment: Readonly<Record<string, string>> = {
  PATH: '/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_EDITOR: 'false',
  GIT_AUTHOR_NAME: 'Holdfast',
  GIT_AUTHOR_EMAIL: 'holdfast@localhost',
  GIT_COMMITTER_NAME: 'Holdfast',
  GIT_COMMITTER_EMAIL: 'holdfast@localhost',
};

/** Beside what `neutralGlobals` takes away. */
const fixed: Settings = [
  ['submodule.recurse', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.protectNTFS', 'true'],
  ['core.protectHFS', 'true'],
  ['core.untrackedCache', 'false'],
  ['commit.gpgSign', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['worktree.guessRemote', 'false'],
  ['branch.autoSetupMerge', 'false'],
];

/** Attack: a filter called `a=b`. In `-c filter.a=b.clean=` the key would end at the first `=`. */
function settingVariables(settings: Settings): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]) as Readonly<Record<string, string>>;
}

function findGit(): string {
  const git = places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (git === undefined)
    throw new HoldfastError('HF_BACKEND_MISSING', 'git is not installed', {
      remedy: 'install git (Debian: `apt-get install git`)',
    });
  return git;
}
