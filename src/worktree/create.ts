import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { restrict } from './access.ts';
import { branchProblem } from './branch-name.ts';
import { failed, refused } from './failure.ts';
import { type GitPlace, runGit } from './git.ts';
import { treeOf, type Worktree, writeMarker } from './marker.ts';
import { overridesFor } from './overrides.ts';
import { openDirectory } from './place.ts';
import { recoverWorktrees } from './recover.ts';
import { repositoryAt } from './repository.ts';
import { clearAway } from './remove.ts';

export interface CreateOptions {
  /** Top of a git repository. */
  readonly workspace: string;
  /** Absolute; holds all worktrees of the user. */
  readonly directory: string;
  /** Name of the new branch. Default: `holdfast/` and the worktree's name. */
  readonly branch?: string;
}

/**
 * A new branch at the workspace's last commit, checked out in a directory of its own. What the workspace has uncommitted stays
 * there. Throws `HF_WORKTREE_REFUSED` and `HF_WORKTREE_FAILED`, and then nothing is left behind.
 */
export function createWorktree({ workspace, directory, branch: wished }: CreateOptions): Worktree & { readonly path: string } {
  const repository = repositoryAt(workspace);
  const place = openDirectory(directory, repository.workTree);
  recoverWorktrees(place);
  const id = randomBytes(8).toString('hex');
  const branch = wished ?? `holdfast/${id}`;
  checkBranch(repository, branch);
  const worktree: Worktree = { id, repository: repository.workTree, branch, base: lastCommit(repository), made: new Date().toISOString(), state: 'making', pid: process.pid };
  begin(place, worktree);
  try {
    checkOut(repository, { place, worktree });
  } catch (error) {
    clearAway(place, worktree);
    throw failed('the worktree could not be made', error);
  }
  writeMarker(join(place, id), { ...worktree, state: 'ready' });
  return { ...worktree, state: 'ready', path: treeOf(place, id) };
}

/** A directory has its marker from the first moment under its name, so whatever has none is not ours. */
function begin(place: string, worktree: Worktree): void {
  const draft = join(place, `.making-${worktree.id}`);
  mkdirSync(draft, { mode: 0o700 });
  writeMarker(draft, worktree);
  renameSync(draft, join(place, worktree.id));
}

function checkOut(repository: GitPlace, { place, worktree }: { readonly place: string; readonly worktree: Worktree }): void {
  const settings = overridesFor(repository);
  const tree = treeOf(place, worktree.id);
  runGit(repository, ['worktree', 'add', '--quiet', '--no-track', '-b', worktree.branch, '--', tree, worktree.base], { settings });
  restrict(tree);
}

function checkBranch(repository: GitPlace, branch: string): void {
  const problem = branchProblem(branch);
  if (problem !== undefined) throw refused(`${JSON.stringify(branch)} cannot be the name of a branch: ${problem}`, 'choose another name');
  if (runGit(repository, ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], { statuses: [0, 1, 128] }).status === 0) throw refused(`there is a branch ${branch} already`, 'choose another name');
}

function lastCommit(repository: GitPlace): string {
  const { status, stdout } = runGit(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}'], { statuses: [0, 1, 128] });
  const commit = stdout.toString('latin1').trim();
  if (status !== 0 || !/^[0-9a-f]{40,64}$/u.test(commit)) throw refused(`${repository.workTree} has no commit to start from`, 'commit something first');
  return commit;
}

