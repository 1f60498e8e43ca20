/**
 * The room of session worktrees: the fallback for hosts without a sandbox. An agent's changes go to its own git
 * worktree, outside of the workspace and closed to other users. They come back as a branch that nothing merges by
 * itself.
 *
 * A worktree keeps changes apart, but is no sandbox: a program in it has all rights of its user. Git runs from a fixed
 * path with argument arrays. No program that the repository's configuration names runs with it.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { removeTree } from '../kernel/index.ts';
import { worktreeFailed, type GitWorkTree, overridesFor, worktreeRefused, runGit } from './git.ts';
import { branchProblem, isBusy, isId, readMarker, readWorktree, treeOf, type Worktree, writeMarker } from './marker.ts';
import { clearAway } from './remove.ts';
import { repositoryAt } from './repository.ts';

export interface CreateOptions {
  /** Top of a git repository. */
  readonly workspace: string;
  /** Absolute path of the directory for all of the user's worktrees. */
  readonly directory: string;
  /** Name of the new branch. Default: `holdfast/` and the worktree's name. */
  readonly branch?: string;
}

/**
 * Makes a branch at the workspace's last commit, checked out in its own directory. Uncommitted changes of the workspace
 * stay there. Throws `HF_WORKTREE_REFUSED` and `HF_WORKTREE_FAILED`, and then leaves nothing behind.
 */
export function createWorktree({
  workspace,
  directory,
  branch: wished,
}: CreateOptions): Worktree & { readonly path: string } {
  const repository = repositoryAt(workspace);
  const place = openDirectory(directory, repository.workTree);
  recoverWorktrees(place);
  const id = randomBytes(8).toString('hex');
  const branch = wished ?? `holdfast/${id}`;
  checkBranch(repository, branch);
  const worktree: Worktree = {
    id,
    repository: repository.workTree,
    branch,
    base: lastCommit(repository),
    made: new Date().toISOString(),
    state: 'making',
    pid: process.pid,
  };
  begin(place, worktree);
  try {
    checkOut(repository, { place, worktree });
  } catch (error) {
    clearAway(place, worktree);
    throw worktreeFailed('the worktree could not be made', error);
  }
  writeMarker(join(place, id), { ...worktree, state: 'ready' });
  return { ...worktree, state: 'ready', path: treeOf(place, id) };
}

/** A directory gets its marker together with its name, so a directory without a marker is not ours. */
function begin(place: string, worktree: Worktree): void {
  const draft = join(place, `.making-${worktree.id}`);
  mkdirSync(draft, { mode: 0o700 });
  writeMarker(draft, worktree);
  renameSync(draft, join(place, worktree.id));
}

function checkOut(
  repository: GitWorkTree,
  { place, worktree }: { readonly place: string; readonly worktree: Worktree },
): void {
  const settings = overridesFor(repository);
  const tree = treeOf(place, worktree.id);
  runGit(repository, ['worktree', 'add', '--quiet', '--no-track', '-b', worktree.branch, '--', tree, worktree.base], {
    settings,
  });
  restrict(tree);
}

function checkBranch(repository: GitWorkTree, branch: string): void {
  const problem = branchProblem(branch);
  if (problem !== undefined)
    throw worktreeRefused(`${JSON.stringify(branch)} is not a valid branch name: ${problem}`, 'choose another name');
  if (
    runGit(repository, ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], { statuses: [0, 1, 128] })
      .status === 0
  )
    throw worktreeRefused(`the branch ${branch} already exists`, 'choose another name');
}

function lastCommit(repository: GitWorkTree): string {
  const { status, stdout } = runGit(
    repository,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}'],
    { statuses: [0, 1, 128] },
  );
  const commit = stdout.toString('latin1').trim();
  if (status !== 0 || !/^[0-9a-f]{40,64}$/u.test(commit))
    throw worktreeRefused(`${repository.workTree} has no commit to start from`, 'commit something first');
  return commit;
}

/** Makes the directory of all worktrees, closed to others, and returns its real path. */
function openDirectory(directory: string, repository: string): string {
  if (process.platform !== 'linux')
    throw worktreeRefused(
      'worktrees need Linux; on Windows, Holdfast only generates the access list',
      'use `git worktree` by hand',
    );
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw worktreeFailed(`${directory} cannot be made`, error);
  }
  const found = lstatSync(directory);
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw worktreeRefused(`${directory} is not a directory of yours`, 'move it away, or set XDG_STATE_HOME');
  const real = realpathSync.native(directory);
  // A worktree in the workspace would be among its files. A workspace in a worktree would be removed with it.
  if (isWithin(real, repository) || isWithin(repository, real))
    throw worktreeRefused(
      `a worktree cannot be inside the workspace, or contain it: ${real} and ${repository}`,
      'set XDG_STATE_HOME to a directory outside the workspace',
    );
  restrict(real);
  return real;
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

/** The mode or the commands that close a directory to all but one user. */
export type Restriction =
  | { readonly kind: 'mode'; readonly path: string; readonly mode: number }
  /** Programs with their arguments, in order. No shell reads them. They are generated, not run. */
  | { readonly kind: 'commands'; readonly commands: readonly (readonly string[])[] };

interface RestrictionOptions {
  readonly path: string;
  readonly platform: 'posix' | 'windows';
  /**
   * Windows: the security identifier of the user, `S-1-5-21-…`. A name would need a look-up, and could be someone
   * else's.
   */
  readonly user?: string;
}

const ownerOnly = 0o700;
/** Same path on every Windows, so that nothing in `PATH` can replace it. */
const icacls = String.raw`C:\Windows\System32\icacls.exe`;
/** The Windows system account, so that backups and updates work. */
const localSystem = 'S-1-5-18';

/** Pure. Throws `HF_WORKTREE_REFUSED` for an ambiguous path or user. */
export function restriction({ path, platform, user = '' }: RestrictionOptions): Restriction {
  if (platform === 'posix') return { kind: 'mode', path, mode: ownerOnly };
  if (!/^[A-Za-z]:\\(?!.*[*?"<>|/\p{Cc}])(?!.*:.*:)[^:]+$/u.test(path))
    throw worktreeRefused(
      `${JSON.stringify(path)} is not a path of a directory on a drive`,
      'give an absolute path such as C:\\Users\\me\\worktree',
    );
  if (!/^S-1-5-21(?:-\d{1,10}){4}$/u.test(user))
    throw worktreeRefused(`${JSON.stringify(user)} is not a user identifier`, 'give it as `whoami /user` prints it');
  const full = '(OI)(CI)F';
  return {
    kind: 'commands',
    commands: [
      [icacls, path, '/reset', '/T', '/L', '/Q'],
      // Removes inherited entries first, because one for everyone would open the directory again.
      [icacls, path, '/inheritance:r', '/grant:r', `*${user}:${full}`, `*${localSystem}:${full}`, '/L', '/Q'],
      [icacls, path, '/setowner', `*${user}`, '/L', '/Q'],
    ],
  };
}

/** Applies the restriction, if this machine can. */
function restrict(path: string): void {
  chmodSync(path, ownerOnly);
}

/**
 * Clears worktrees that killed processes left half made or half removed, and returns their names. Directories without a
 * marker stay.
 */
export function recoverWorktrees(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  const unfinished = listWorktrees(directory).filter(({ condition }) => condition === 'unfinished');
  for (const worktree of unfinished) clearAway(directory, worktree);
  return [...unfinished.map(({ id }) => id), ...drafts(directory)];
}

const draftPrefix = '.making-';

/** Unfinished directories without a name yet, which hold only a marker. */
function drafts(directory: string): readonly string[] {
  const left = readdirSync(directory).filter(
    (name) => name.startsWith(draftPrefix) && isId(name.slice(draftPrefix.length)),
  );
  return left.flatMap((name) => {
    const worktree = markerIn(join(directory, name));
    if (worktree === undefined || isBusy(worktree)) return [];
    removeTree(join(directory, name));
    return [worktree.id];
  });
}

function markerIn(directory: string): Worktree | undefined {
  try {
    return readMarker(directory);
  } catch {
    return undefined;
  }
}

export interface ListedWorktree extends Worktree {
  readonly path: string;
  /** `unfinished`: its process was killed while it made or removed the worktree. */
  readonly condition: 'ready' | 'busy' | 'unfinished';
}

/** Lists directories with our marker, oldest first. Skips anything else. */
export function listWorktrees(directory: string): readonly ListedWorktree[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter(isId)
    .flatMap((id): ListedWorktree[] => {
      const worktree = readable(directory, id);
      return worktree === undefined
        ? []
        : [
            {
              ...worktree,
              path: treeOf(directory, id),
              condition: worktree.state === 'ready' ? 'ready' : isBusy(worktree) ? 'busy' : 'unfinished',
            },
          ];
    })
    .toSorted((a, b) => (a.made < b.made ? -1 : a.made > b.made ? 1 : 0));
}

function readable(directory: string, id: string): Worktree | undefined {
  try {
    return readWorktree(directory, id);
  } catch {
    return undefined;
  }
}
