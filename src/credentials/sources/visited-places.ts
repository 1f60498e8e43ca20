import { lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/**
 * Every path that is passed on the way to a file, the symlinks and the file itself among them, in order; undefined
 * where it leads to nothing. Whoever may write at one of them decides what is found at the end.
 */
export function visitedPlaces(path: string): readonly string[] | undefined {
  const visited: string[] = [];
  let links = 0;
  let done = '/';
  let rest = componentsOf(path);
  while (rest.length > 0) {
    const [name = '', ...after] = rest;
    const next = join(done, name);
    // As it stands: `file/..` is no directory, although the text without both would be one.
    const stats = lstatSync(`${done}/${name}`, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    visited.push(next);
    if (!stats.isSymbolicLink()) {
      [done, rest] = [next, after];
      continue;
    }
    links += 1;
    if (links > mostLinks) return undefined;
    const text = readlinkSync(next);
    // `..` in a link's text goes up from where the links before it lead.
    [done, rest] = [isAbsolute(text) ? '/' : done, [...componentsOf(text), ...after]];
  }
  return visited;
}

/** Whether one of `places` lies in one of `roots`. */
export function anyWithin(places: readonly string[], roots: readonly string[]): boolean {
  return places.some((place) => roots.some((root) => root === '/' || place === root || place.startsWith(`${root}/`)));
}

/** As the kernel has it. */
const mostLinks = 40;

function componentsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}
