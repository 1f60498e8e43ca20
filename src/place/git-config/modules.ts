import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../host/read-text.ts';

const most = { children: 4096, depth: 5 };

/**
 * Returns the git directories of submodules below one. Submodules may have slashes in their names, and submodules of
 * their own. `look` gets each directory whose entries say which there are.
 */
export function modulesIn(
  gitDirectory: string,
  look: (path: string) => string,
  depth: number = most.depth,
): readonly string[] {
  return modulesBelow(look(join(gitDirectory, 'modules')), look, depth);
}

function modulesBelow(directory: string, look: (path: string) => string, depth: number): readonly string[] {
  if (depth === 0) return [];
  return directoriesIn(directory).flatMap((child) =>
    readText(join(child, 'HEAD')) === ''
      ? modulesBelow(look(child), look, depth - 1)
      : [child, ...modulesIn(child, look, depth - 1)],
  );
}

export function directoriesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .slice(0, most.children)
      .map(({ name }) => join(directory, name));
  } catch {
    return [];
  }
}
