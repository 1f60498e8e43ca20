import { lstatSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { isHoldfastError } from '../errors/index.ts';
import { removeTree } from '../kernel/index.ts';
import { worktreeFailed, type GitWorkTree, overridesFor, worktreeRefused, runGit } from './git.ts';
import { worktreeChanges, countOf } from './hand-back.ts';
import { isBusy, readWorktree, treeOf, type Worktree, writeMarker } from './marker.ts';
import { adminOf, insideOf, repositoryAt } from './repository.ts';

export interface RemoveWorktreeOptions {
  readonly directory: string;
  readonly id: string;
  /** Treatment of uncommitted changes. `keep` refuses to remove the worktree. */
  readonly uncommitted: 'keep' | 'discard';
}

/**
 * Removes a worktree with our marker, and its branch if nothing was committed to it. Touches no file outside of the
 * worktree's own directory and git's record of it. Throws `HF_WORKTREE_REFUSED` and `HF_WORKTREE_FAILED`.
 */
export function removeWorktree({ directory, id, uncommitted }: RemoveWorktreeOptions): Worktree {
  const worktree = readWorktree(directory, id);
  if (isBusy(worktree))
    throw worktreeRefused(`process ${worktree.pid} is using the worktree ${id}`, 'wait until that process has ended');
  if (uncommitted === 'keep' && worktree.state === 'ready') refuseLosses(directory, worktree);
  clearAway(directory, worktree);
  return worktree;
}

/** Removes all existing parts. If killed, the next call finishes. */
export function clearAway(directory: string, worktree: Worktree): void {
  const place = join(directory, worktree.id);
  const tree = treeOf(directory, worktree.id);
  try {
    writeMarker(place, { ...worktree, state: 'removing', pid: process.pid });
    if (lstatSync(tree, { throwIfNoEntry: false }) !== undefined) removeTree(tree);
    const repository = repositoryOf(worktree);
    if (repository !== undefined) forget(repository, { tree, worktree });
    removeTree(place);
  } catch (error) {
    throw worktreeFailed(`the worktree ${worktree.id} could not be removed`, error);
  }
}

function refuseLosses(directory: string, { id, repository }: Worktree): void {
  const inside = insideOf(repositoryAt(repository), treeOf(directory, id));
  const count = countOf(worktreeChanges(inside, overridesFor(inside)));
  if (count > 0)
    throw worktreeRefused(
      `${count} changes in the worktree ${id} are not committed`,
      `\`holdfast worktree hand-back ${id}\` commits them to its branch; --discard drops them`,
    );
}

/** A missing repository, or one that was replaced, is left alone. */
function repositoryOf({ repository }: Worktree): GitWorkTree | undefined {
  try {
    return repositoryAt(repository);
  } catch (error) {
    if (isHoldfastError(error)) return undefined;
    throw error;
  }
}

function forget(
  repository: GitWorkTree,
  { tree, worktree: { branch, base } }: { readonly tree: string; readonly worktree: Worktree },
): void {
  const admin = adminOf(repository, tree);
  if (admin !== undefined) {
    removeTree(admin);
    removeIfEmpty(dirname(admin));
  }
  // Removes the branch only if it still has no commits of its own, because those are someone's work. Statuses 1 and
  // 128: it is missing, or has moved.
  runGit(repository, ['update-ref', '-d', `refs/heads/${branch}`, base], { statuses: [0, 1, 128] });
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // The directory has other worktrees.
  }
}
