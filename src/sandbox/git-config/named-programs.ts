import { isAbsolute, join, resolve } from 'node:path';
import { type GitSetting, hookNames, runningKeys } from '../../git-config/index.ts';

export interface NamingPlace {
  /** Directory of the file that a setting stands in. */
  readonly directory: string;
  readonly workTree: string;
  readonly home: string;
  /** Whether something other than a directory is there. */
  readonly isFile: (path: string) => boolean;
}

/** Absolute paths that a setting makes git run or obey. */
export function namedPrograms({ key, value = '' }: GitSetting, place: NamingPlace): readonly string[] {
  const use = runningKeys.find((entry) => entry.key.test(key))?.use;
  if (use === undefined || value === '') return [];
  if (use === 'path') return pathsOf(key, value, place);
  return use === 'alias' && !value.startsWith('!') ? [] : commandFiles(value, place);
}

/** Included files are relative to the one that includes them, everything else to the top of the work tree. */
function pathsOf(key: string, value: string, place: NamingPlace): readonly string[] {
  const path = absolute(value, key.startsWith('include') ? place.directory : place.workTree, place.home);
  // The work tree as a whole must stay writable; in it, hooks are what they are called.
  return key === 'core.hookspath' && path === place.workTree ? hookNames.map((name) => join(path, name)) : [path];
}

const wordBreaks = /[\s"'`;|&<>(){}$=\\]+/u;
const looksLikePath = /^(?:\/|~\/|\.{1,2}\/)/u;

/**
 * Words of a command that are files. A program with a slash in its name counts before it exists; a bare one is looked for
 * in PATH, which leads to no writable root.
 */
function commandFiles(command: string, { workTree, home, isFile }: NamingPlace): readonly string[] {
  const words = command.replace(/^!/u, '').split(wordBreaks).filter((word) => word !== '');
  return words.flatMap((word, index) => {
    const path = absolute(word, workTree, home);
    const named = looksLikePath.test(word) || (index === 0 && word.includes('/'));
    return path !== workTree && (named ? !path.endsWith('/') : index > 0 && isFile(path)) ? [path] : [];
  });
}

function absolute(path: string, base: string, home: string): string {
  const expanded = path.startsWith('~/') ? join(home, path.slice(2)) : path;
  return isAbsolute(expanded) ? resolve(expanded) : resolve(base, expanded);
}
