import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { PathFact } from '../../plan/facts.ts';
import type { FileIdentity } from '../../plan/mount.ts';

const missing: PathFact = { kind: 'missing' };
const maximumLinks = 40;

/** Returns the target of a path, with every symlink on the way. */
export function pathFact(path: string): PathFact {
  return factOf(path, new Map([['/', 'plain']]));
}

/** Returns the facts about many paths, in their order. Looks at each directory above them only once. */
export function pathFacts(paths: readonly string[]): ReadonlyMap<string, PathFact> {
  const known = new Map<string, Directory>([['/', 'plain']]);
  return new Map(paths.map((path): [string, PathFact] => [path, factOf(path, known)]));
}

/** A `plain` directory is reached without symlinks. */
type Directory = 'plain' | 'missing' | 'behind-links';

function factOf(path: string, known: Map<string, Directory>): PathFact {
  const above = path === '/' ? 'plain' : directoryAt(dirname(path), known);
  if (above === 'missing') return missing;
  if (above === 'behind-links') return walk(path);
  const stats = statsAt(path);
  if (stats === undefined) return missing;
  return stats.isSymbolicLink()
    ? walk(path)
    : { kind: 'present', real: path, identity: identityOf(path, stats), symlinks: [] };
}

function directoryAt(path: string, known: Map<string, Directory>): Directory {
  const before = known.get(path);
  if (before !== undefined) return before;
  const above = directoryAt(dirname(path), known);
  const found = above === 'plain' ? kindOf(statsAt(path)) : above;
  known.set(path, found);
  return found;
}

function kindOf(stats: Stats | undefined): Directory {
  if (stats === undefined) return 'missing';
  return stats.isSymbolicLink() ? 'behind-links' : 'plain';
}

/** Walks component by component, after the fast way has found a symlink. */
function walk(path: string): PathFact {
  const symlinks: string[] = [];
  let linkText: string | undefined;
  let done = '/';
  let rest = components(path);
  while (rest.length > 0) {
    const [name = ''] = rest;
    const next = join(done, name);
    // Keeps the text as it is: `file/..` does not exist, although removing both components would give a directory.
    const stats = statsAt(`${done}/${name}`);
    if (stats === undefined) return missing;
    if (!stats.isSymbolicLink()) {
      [done, rest] = [next, rest.slice(1)];
      continue;
    }
    if (symlinks.length === maximumLinks) return missing;
    const text = readlinkSync(next);
    if (next === path) linkText = text;
    symlinks.push(next);
    // `..` in a link's text goes up from the target of the links before it: the text alone does not say where.
    [done, rest] = [isAbsolute(text) ? '/' : done, [...components(text), ...rest.slice(1)]];
  }
  const stats = statsAt(done);
  if (stats === undefined) return missing;
  return {
    kind: 'present',
    real: done,
    identity: identityOf(done, stats),
    symlinks,
    ...(linkText === undefined ? {} : { linkText }),
  };
}

function components(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

/** Undefined for a path that is missing or not visible. */
export function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // EACCES, ENOTDIR: a path that is not visible cannot be mounted.
    return undefined;
  }
}

/** Exact inode numbers cost three times as much, and are read only where they are beyond 2^53. */
function identityOf(path: string, stats: Stats): FileIdentity {
  const exact =
    Number.isSafeInteger(stats.ino) && Number.isSafeInteger(stats.dev) ? stats : lstatSync(path, { bigint: true });
  return {
    device: String(exact.dev),
    inode: String(exact.ino),
    type: stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other',
  };
}
