import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import process from 'node:process';
import { restrict } from './access.ts';
import { failed, refused } from './failure.ts';

/** Makes the directory of all worktrees, closed to others, and gives its real path. */
export function openDirectory(directory: string, repository: string): string {
  if (process.platform !== 'linux') throw refused('worktrees are made on Linux; for Windows the access list is generated, not run', 'use `git worktree` by hand');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw failed(`${directory} cannot be made`, error);
  }
  const found = lstatSync(directory);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw refused(`${directory} is not a directory of yours`, 'move it away, or set XDG_STATE_HOME');
  const real = realpathSync.native(directory);
  // A worktree in the workspace would be among its files; a workspace in there would go with a worktree.
  if (isWithin(real, repository) || isWithin(repository, real)) throw refused(`worktrees cannot lie in the workspace, or around it: ${real} and ${repository}`, 'set XDG_STATE_HOME to a directory outside of it');
  restrict(real);
  return real;
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}
