import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type GitWorkTree, worktreeRefused } from './git.ts';

/**
 * Returns the repository at the top of a workspace. Refuses a `.git` that is a link, a file, or shared with another
 * repository, because it could lead into an unintended repository.
 */
export function repositoryAt(workspace: string): GitWorkTree {
  const root = canonical(workspace);
  const gitDirectory = join(root, '.git');
  const found = lstatSync(gitDirectory, { throwIfNoEntry: false });
  if (found === undefined)
    throw worktreeRefused(`${root} is not the top of a git repository`, 'name one with --workspace');
  if (!found.isDirectory())
    throw worktreeRefused(
      `${gitDirectory} is ${found.isSymbolicLink() ? 'a symbolic link' : 'a file'}, which could lead into another repository`,
      'use the repository that it leads to',
    );
  // Naming the directories explicitly turns off git's own check of the owner.
  if (found.uid !== process.getuid?.())
    throw worktreeRefused(`${gitDirectory} belongs to another user`, 'use a clone of your own');
  for (const name of ['commondir', 'gitdir'])
    if (existsSync(join(gitDirectory, name)))
      throw worktreeRefused(
        `${gitDirectory} is not a repository of its own: it holds ${name}`,
        'use the repository that it leads to',
      );
  for (const name of ['HEAD', 'objects', 'refs', 'worktrees', 'config', 'logs', 'index'])
    refuseLink(join(gitDirectory, name));
  return { gitDirectory, workTree: root };
}

/** Returns git's own directory for a worktree, in the repository. Undefined if it is missing. */
export function adminOf({ gitDirectory }: GitWorkTree, tree: string): string | undefined {
  const all = join(gitDirectory, 'worktrees');
  refuseLink(all);
  if (!existsSync(all)) return undefined;
  return readdirSync(all, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(all, name))
    .find((path) => lineOf(join(path, 'gitdir')) === join(tree, '.git'));
}

/** Returns the arguments for git in the worktree itself, even if someone has changed its `.git` file. */
export function insideOf(repository: GitWorkTree, tree: string): GitWorkTree {
  const gitDirectory = adminOf(repository, tree);
  if (gitDirectory === undefined || lineOf(join(gitDirectory, 'commondir')) !== '../..')
    throw worktreeRefused(
      `the repository does not know the worktree ${tree}`,
      'inspect it yourself, or remove it with --discard',
    );
  if (lstatSync(tree, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw worktreeRefused(`${tree} is not a directory`, 'remove it with --discard');
  return { gitDirectory, workTree: tree };
}

const longestLine = 8192;

/** Reads one line of a small regular file. Reading a FIFO would never end. */
function lineOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= longestLine ? readFileSync(path, 'utf8').trimEnd() : undefined;
}

function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw worktreeRefused(
      `${path} is a symbolic link, which could lead into another repository`,
      'use a repository without such links',
    );
}

function canonical(workspace: string): string {
  try {
    return realpathSync.native(workspace);
  } catch {
    throw worktreeRefused(`${workspace} cannot be entered`, 'name another directory with --workspace');
  }
}
