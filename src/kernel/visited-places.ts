import { lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/**
 * Returns every path on the way to a file, in order, including symlinks and the file itself. Undefined if it leads
 * nowhere. Anyone who may write one of these paths decides which file is found.
 */
export function visitedPlaces(path: string): readonly string[] | undefined {
  const visited: string[] = [];
  let links = 0;
  let done = '/';
  const rest = path.split('/');
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '') continue;
    const next = join(done, name);
    // Not normalised: `file/..` does not exist, although removing both components would give a directory.
    const stats = lstatSync(`${done}/${name}`, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    visited.push(next);
    if (stats.isSymbolicLink()) {
      links += 1;
      if (links > mostLinks) return undefined;
      const text = readlinkSync(next);
      // `..` in a link's text goes up from the target of the links before it.
      if (isAbsolute(text)) done = '/';
      rest.unshift(...text.split('/'));
    } else done = next;
  }
  return visited;
}

/** The kernel's limit. */
const mostLinks = 40;
