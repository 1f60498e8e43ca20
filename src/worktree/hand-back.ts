import { lstatSync, type Stats } from 'node:fs';
import { gitLine, type GitWorkTree, overridesFor, worktreeRefused, runGit, type Settings } from './git.ts';
import { readWorktree, treeOf, type Worktree } from './marker.ts';
import { insideOf, repositoryAt } from './repository.ts';

export interface HandedBack {
  readonly branch: string;
  readonly base: string;
  /** The branch's last commit. Equals `base` if nothing was changed. */
  readonly tip: string;
  /** Git's summary of a merge. */
  readonly summary: string;
  readonly patch: Buffer;
  /** Nested repositories, which are left out of the branch. */
  readonly leftOut: readonly string[];
}

/**
 * Commits uncommitted changes to the worktree's branch, and returns the branch's changes. Merges nothing, because a
 * person does that. Throws `HF_WORKTREE_REFUSED` if the worktree is not as it was made, and `HF_WORKTREE_FAILED`.
 */
export function handBack(directory: string, id: string): HandedBack {
  const worktree = readWorktree(directory, id);
  if (worktree.state !== 'ready')
    throw worktreeRefused(`the worktree ${id} was not completed`, 'remove it, and create another one');
  const repository = repositoryAt(worktree.repository);
  const inside = insideOf(repository, treeOf(directory, id));
  const settings = overridesFor(inside);
  const head = headOf(inside, worktree);
  const changes = worktreeChanges(inside, settings);
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

/** The worktree may have switched to another branch, which is someone else's. */
function headOf(inside: GitWorkTree, { branch }: Worktree): string {
  const { stdout } = runGit(inside, ['symbolic-ref', '--quiet', 'HEAD'], { statuses: [0, 1, 128] });
  if (stdout.toString('utf8').trimEnd() !== `refs/heads/${branch}`)
    throw worktreeRefused(
      `the worktree is no longer on its branch ${branch}`,
      `check out ${branch} in the worktree, or inspect it yourself`,
    );
  return gitLine(inside, ['rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}']);
}

interface Work {
  readonly changes: Changes;
  readonly head: string;
  readonly settings: Settings;
  readonly worktree: Worktree;
}

/** Uses commands that run no hooks and enter no nested repository. `git add` and `git commit` would run git there. */
function commitAll(inside: GitWorkTree, { changes: { present, gone }, head, settings, worktree }: Work): string {
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

/** Changed paths since the last commit, as relative raw bytes, without ignored files. */
interface Changes {
  /** Changed or new. */
  readonly present: readonly Buffer[];
  readonly gone: readonly Buffer[];
  /**
   * Directories with their own repository. Git would run in them under their configuration, so only their names are
   * read.
   */
  readonly nested: readonly Buffer[];
}

export function worktreeChanges(inside: GitWorkTree, settings: Settings): Changes {
  const { stdout } = runGit(
    inside,
    ['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard', '--deduplicate'],
    { settings },
  );
  const kinds = Map.groupBy(split(stdout), (path) => kindOf(inside.workTree, path));
  return { present: kinds.get('present') ?? [], gone: kinds.get('gone') ?? [], nested: kinds.get('nested') ?? [] };
}

export function countOf({ present, gone, nested }: Changes): number {
  return present.length + gone.length + nested.length;
}

const slash = 0x2f;

/** Attack: a directory that is replaced with a link to an outside directory, which has files with the same names. */
function kindOf(tree: string, path: Buffer): keyof Changes {
  if (path.at(-1) === slash) return 'nested';
  if (ancestorsOf(path).some((ancestor) => statOf(tree, ancestor)?.isDirectory() !== true)) return 'gone';
  const found = statOf(tree, path);
  if (found?.isDirectory() !== true) return found === undefined ? 'gone' : 'present';
  return statOf(tree, Buffer.concat([path, Buffer.from('/.git')])) === undefined ? 'gone' : 'nested';
}

function ancestorsOf(path: Buffer): readonly Buffer[] {
  return [...path.keys()].filter((at) => path[at] === slash).map((at) => path.subarray(0, at));
}

function statOf(tree: string, path: Buffer): Stats | undefined {
  try {
    return lstatSync(Buffer.concat([Buffer.from(`${tree}/`), path]));
  } catch {
    return undefined;
  }
}

function split(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    parts.push(bytes.subarray(start, end === -1 ? bytes.length : end));
    start = end === -1 ? bytes.length : end + 1;
  }
  return parts;
}
