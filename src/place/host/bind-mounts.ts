import { readFileSync } from 'node:fs';

/** A mount that shows a part of another file system tree under a second path. Both absolute. */
export interface SecondPath {
  readonly path: string;
  /** A path of the shown tree elsewhere on this machine, or in its own file system if nothing else shows it. */
  readonly source: string;
}

/** Boxes have their own. */
const privateTrees = ['/proc/', '/sys/', '/dev/', '/run/'];

/**
 * Returns the bind mounts of this process's mount namespace. Mounts of whole file systems are none: the names in them
 * are searched for like all others. `table` is the text of `/proc/self/mountinfo`, proc(5).
 */
export function bindMounts(table: string = readFileSync('/proc/self/mountinfo', 'utf8')): readonly SecondPath[] {
  const mounts = table.split('\n').flatMap((line) => {
    const [, , device = '', root = '', path = ''] = line.split(' ');
    return path === '' ? [] : [{ device, root: unescapeMount(root), path: unescapeMount(path) }];
  });
  return mounts.flatMap(({ device, root, path }): SecondPath[] => {
    if (root === '/' || privateTrees.some((tree) => path.startsWith(tree))) return [];
    const shown = mounts
      .filter((other) => other.device === device && other.path !== path && isAtOrBelow(root, other.root))
      .toSorted((one, other) => other.root.length - one.root.length)[0];
    const source = shown === undefined ? root : sourceIn(shown, root);
    return source === path ? [] : [{ path, source }];
  });
}

function isAtOrBelow(path: string, directory: string): boolean {
  return directory === '/' || path === directory || path.startsWith(`${directory}/`);
}

/** The path of a part of a file system, by a mount that shows it. */
function sourceIn({ root: shownRoot, path }: { readonly root: string; readonly path: string }, root: string): string {
  const rest = shownRoot === '/' ? root : root.slice(shownRoot.length);
  return path === '/' && rest !== '' ? rest : `${path}${rest}`;
}

/** The kernel writes space, tab, newline and backslash as three octal digits. */
export function unescapeMount(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
