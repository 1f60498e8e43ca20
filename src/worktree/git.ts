import { isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { HoldfastError, isHoldfastError } from '../errors/index.ts';
import { neutralEnvironment, neutralGlobals } from '../shell/tools/git/neutralise.ts';

/** Only system paths, because a `git` in a workspace would be the repository's. */
const places = ['/usr/bin/git', '/usr/local/bin/git', '/bin/git', '/run/current-system/sw/bin/git'] as const;

/** Named explicitly, because a search would use the configuration of any repository that it finds. */
export interface GitWorkTree {
  readonly gitDirectory: string;
  readonly workTree: string;
}

export interface GitOptions {
  /** Settings that override every file, as exact keys. Default: none. */
  readonly settings?: Settings;
  readonly input?: Buffer;
  /** Exit statuses that count as answers. Default: 0. */
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
 * Runs git without a shell. Throws `HF_BACKEND_MISSING` if there is no git, and `HF_WORKTREE_FAILED` with the first
 * line of its output for any other status.
 */
export function runGit(
  place: GitWorkTree,
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
  if (error !== undefined || status === null) throw worktreeFailed(`git ${words[0] ?? ''} failed`, error);
  if (!statuses.includes(status))
    throw worktreeFailed(`git ${words[0] ?? ''}: ${stderr.toString('utf8').split('\n', 1)[0] ?? ''}`);
  return { status, stdout };
}

/** Returns the single line that git prints. */
export function gitLine(place: GitWorkTree, words: readonly string[], options?: GitOptions): string {
  return runGit(place, words, options).stdout.toString('utf8').trimEnd();
}

/**
 * Passes nothing from the caller's environment, because `GIT_SSH_COMMAND`, `GIT_EXTERNAL_DIFF` and others name
 * programs.
 */
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

/** Settings in addition to `neutralGlobals`. */
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

/** Returns the error for a path that is left alone because it is not as expected. */
export function worktreeRefused(message: string, remedy: string): HoldfastError {
  return new HoldfastError('HF_WORKTREE_REFUSED', message, { remedy });
}

/** Returns the error for a failure of the system or git. */
export function worktreeFailed(message: string, cause?: unknown): HoldfastError {
  if (isHoldfastError(cause)) return cause;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return new HoldfastError('HF_WORKTREE_FAILED', code === undefined ? message : `${message} (${code})`, {
    remedy: 'fix that, then run the command again; `holdfast worktree list` shows all worktrees',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** More drivers than any repository has, and few enough for an environment. */
const mostDrivers = 500;

/**
 * Returns settings that disable the programs that the repository's configuration names under keys of its own choice:
 * filters, merge drivers, textconv, hooks of the configuration. Git has no option that turns all filters off, and
 * reading a configuration runs nothing. Throws `HF_WORKTREE_REFUSED` if other settings could take effect once git runs
 * in the worktree.
 */
export function overridesFor(place: GitWorkTree): Settings {
  const { stdout } = runGit(
    place,
    ['config', '--null', '--name-only', '--get-regexp', String.raw`^(filter|merge|diff|hook|includeif)\.`],
    { statuses: [0, 1] },
  );
  const keys = textOf(stdout).split('\0');
  // Attack: a filter in a file that is included on the new branch only, or only below `worktrees/`.
  if (keys.some((key) => key.startsWith('includeif.')))
    throw worktreeRefused(
      `the configuration of ${place.gitDirectory} has conditional includes (includeIf), which may name programs for the worktree alone`,
      'remove them from the configuration of the repository; your own configuration may have them',
    );
  const drivers = new Set(keys.flatMap((key) => /^((?:filter|merge|diff|hook)\..+)\.[^.]+$/su.exec(key)?.[1] ?? []));
  if (drivers.size > mostDrivers)
    throw worktreeFailed(
      `the configuration of the repository names ${drivers.size} drivers, and at most ${mostDrivers} can be switched off`,
    );
  return [...drivers].flatMap(offFor);
}

/** Attack: a filter with invalid bytes in its name. It would be disabled under another name. */
function textOf(keys: Buffer): string {
  if (!isUtf8(keys))
    throw worktreeRefused(
      'the configuration of the repository has a name that is not UTF-8',
      'rename its filters and drivers',
    );
  return keys.toString('utf8');
}

function offFor(driver: string): Settings {
  const set = (values: Readonly<Record<string, string>>): Settings =>
    Object.entries(values).map(([key, value]) => [`${driver}.${key}`, value] as const);
  if (driver.startsWith('filter.')) return set({ clean: '', smudge: '', process: '', required: 'false' });
  if (driver.startsWith('merge.')) return set({ driver: 'false' });
  if (driver.startsWith('diff.')) return set({ command: '', textconv: '' });
  return set({ command: 'false', enabled: 'false' });
}
