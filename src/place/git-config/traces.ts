import { closeSync, constants, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainText } from '../host/workspace.ts';
import { directoriesIn, modulesIn } from './modules.ts';
import { stampListing, type FileStamp } from './stamp.ts';

/** A file of git that changes the meaning of later commands, as it was before a command of a box. */
export interface GitTrace extends FileStamp {
  /**
   * A descriptor of an index, which git replaces. The text of the list of a rebase, or of packed references. The names
   * of recorded resolutions.
   */
  readonly held: number | string | undefined;
}

const names = [
  'rebase-merge/git-rebase-todo',
  'rebase-apply',
  'info/exclude',
  'refs/replace',
  'packed-refs',
  'info/grafts',
  'shallow',
  'rr-cache',
  'index',
];

const most = 1024;

/** Paths of these files in git directories. */
export function tracePaths(gitDirectories: readonly string[]): readonly string[] {
  return gitDirectories.flatMap((directory) => names.map((name) => join(directory, name))).slice(0, most);
}

/**
 * Git directories of linked worktrees and submodules. `look` gets each directory whose entries say which there are.
 */
export function gitDirectoriesBelow(
  gitDirectories: readonly string[],
  look: (path: string) => string = (path) => path,
): readonly string[] {
  return gitDirectories.flatMap((directory) => [
    ...directoriesIn(look(join(directory, 'worktrees'))),
    ...modulesIn(directory, look),
  ]);
}

export function takeTraces(paths: readonly string[]): readonly GitTrace[] {
  return paths.map((path) => ({ ...stampListing(path), held: holdContent(path) }));
}

/** Those that have changed since. Lets the others go. */
export function changedTraces(traces: readonly GitTrace[]): readonly GitTrace[] {
  return traces.filter(({ path, state, held }) => {
    if (stampListing(path).state !== state) return true;
    if (typeof held === 'number') closeSync(held);
    return false;
  });
}

/** A FIFO in its place must not block us. */
function holdContent(path: string): GitTrace['held'] {
  if (/(?:todo|packed-refs)$/u.test(path)) return readPlainText(path);
  try {
    if (path.endsWith('rr-cache')) return readdirSync(path).join('\n');
    return path.endsWith('index') ? openSync(path, constants.O_NONBLOCK) : undefined;
  } catch {
    return undefined;
  }
}
