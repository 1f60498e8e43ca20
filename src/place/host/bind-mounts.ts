import { readFileSync } from 'node:fs';

/** A mount that shows a part of a file system under a second path. */
export interface SecondPath {
  /** Absolute. */
  readonly path: string;
  /** Every other path of the shown tree on this machine, and its path in its own file system. Absolute. */
  readonly sources: readonly string[];
}

/**
 * Returns the bind mounts of this process's mount namespace. Mounts of whole file systems do not count, because names
 * in them are searched like all others. `table` is the text of `/proc/self/mountinfo`, proc(5).
 */
export function bindMounts(table: string = readFileSync('/proc/self/mountinfo', 'utf8')): readonly SecondPath[] {
  const mounts = table.split('\n').flatMap((line) => {
    const [, , device = '', root = '', path = ''] = line.split(' ');
    return path === '' ? [] : [{ device, root: unescapeMount(root), path: unescapeMount(path) }];
  });
  return mounts
    .filter(({ root }) => root !== '/')
    .flatMap(({ device, root, path }): SecondPath[] => {
      const shown = mounts
        .filter((other) => other.device === device && isAtOrBelow(root, other.root))
        .map((other) => sourceIn(other, root));
      // Attack: two mounts of one directory, each of which is the other's source.
      const sources = [...new Set([...shown, root])].filter((source) => source !== path);
      return sources.length === 0 ? [] : [{ path, sources }];
    });
}

function isAtOrBelow(path: string, directory: string): boolean {
  return directory === '/' || path === directory || path.startsWith(`${directory}/`);
}

/** Returns the path of a part of a file system, through a mount that shows it. */
function sourceIn({ root: shownRoot, path }: { readonly root: string; readonly path: string }, root: string): string {
  const rest = shownRoot === '/' ? root : root.slice(shownRoot.length);
  return path === '/' && rest !== '' ? rest : `${path}${rest}`;
}

/** The kernel writes space, tab, newline and backslash as three octal digits. */
export function unescapeMount(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
