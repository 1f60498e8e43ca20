import { type Changes, changesOf } from './changes.ts';
import { refused } from './failure.ts';
import { gitLine, type GitPlace, runGit, type Settings } from './git.ts';
import { readWorktree, treeOf, type Worktree } from './marker.ts';
import { overridesFor } from './overrides.ts';
import { insideOf, repositoryAt } from './repository.ts';

export interface HandedBack {
  readonly branch: string;
  readonly base: string;
  /** The branch's last commit; equals `base` where nothing was changed. */
  readonly tip: string;
  /** Of git, as bytes of the paths allow: what a merge would bring. */
  readonly summary: string;
  readonly patch: Buffer;
  /** Nested repositories, which are not in the branch. */
  readonly leftOut: readonly string[];
}

/**
 * Commits what is uncommitted to the worktree's branch and says what the branch would bring. Nothing is merged: that is
 * for a person to do. Throws `HF_WORKTREE_REFUSED` where the worktree is not what was made, and `HF_WORKTREE_FAILED`.
 */
export function handBack(directory: string, id: string): HandedBack {
  const worktree = readWorktree(directory, id);
  if (worktree.state !== 'ready')
    throw refused(`the worktree ${id} is not finished`, 'remove it, and make another one');
  const repository = repositoryAt(worktree.repository);
  const inside = insideOf(repository, treeOf(directory, id));
  const settings = overridesFor(inside);
  const head = headOf(inside, worktree);
  const changes = changesOf(inside, settings);
  const tip = commitAll(inside, { changes, head, settings, worktree });
  const difference = (...options: readonly string[]): Buffer =>
    runGit(
      repository,
      ['diff-tree', '-r', '--no-ext-diff', '--no-textconv', '--submodule=short', ...options, worktree.base, tip],
      { settings },
    ).stdout;
  return {
    branch: worktree.branch,
    base: worktree.base,
    tip,
    summary: difference('--stat').toString('utf8'),
    patch: difference('-p', '--binary', '--full-index'),
    leftOut: changes.nested.map((path) => path.toString('utf8')),
  };
}

/** The worktree may have been taken to another branch, which is somebody else's. */
function headOf(inside: GitPlace, { branch }: Worktree): string {
  const { stdout } = runGit(inside, ['symbolic-ref', '--quiet', 'HEAD'], { statuses: [0, 1, 128] });
  if (stdout.toString('utf8').trimEnd() !== `refs/heads/${branch}`)
    throw refused(
      `the worktree is no longer on its branch ${branch}`,
      `check ${branch} out in it, or look at it by hand`,
    );
  return gitLine(inside, ['rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}']);
}

interface Work {
  readonly changes: Changes;
  readonly head: string;
  readonly settings: Settings;
  readonly worktree: Worktree;
}

/**
 * By the commands that know no hooks and look into no nested repository: `git add` and `git commit` would run git
 * there.
 */
function commitAll(inside: GitPlace, { changes: { present, gone }, head, settings, worktree }: Work): string {
  if (present.length + gone.length === 0) return head;
  const lines = (paths: readonly Buffer[]): Buffer => Buffer.concat(paths.flatMap((path) => [path, Buffer.of(0)]));
  runGit(inside, ['update-index', '--force-remove', '-z', '--stdin'], { settings, input: lines(gone) });
  runGit(inside, ['update-index', '--add', '--replace', '-z', '--stdin'], { settings, input: lines(present) });
  const tree = gitLine(inside, ['write-tree'], { settings });
  if (tree === gitLine(inside, ['rev-parse', '--verify', '--end-of-options', `${head}^{tree}`])) return head;
  const commit = gitLine(inside, ['commit-tree', '-p', head, '-m', `Work of the session ${worktree.id}`, tree], {
    settings,
  });
  runGit(inside, ['update-ref', '-m', 'holdfast: handed back', `refs/heads/${worktree.branch}`, commit, head], {
    settings,
  });
  return commit;
}
