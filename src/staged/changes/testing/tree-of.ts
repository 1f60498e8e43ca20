import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** All properties of a tree that a change can concern, by path. */
export function treeOf(directory: string): Readonly<Record<string, string>> {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(paths.map((path) => [path, describe(join(directory, path))]));
}

/** For each path, the first path of the same file. */
export function linksOf(directory: string): ReadonlyMap<string, string> {
  const first = new Map<bigint, string>();
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();
  return new Map(
    paths.map((path) => {
      const { ino } = lstatSync(join(directory, path), { bigint: true });
      if (!first.has(ino)) first.set(ino, path);
      return [path, first.get(ino) ?? path];
    }),
  );
}

function describe(path: string): string {
  const stats = lstatSync(path, { bigint: true });
  const rights = (stats.mode & 0o7777n).toString(8);
  if (stats.isDirectory()) return `directory ${rights}`;
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path)} ${stats.mtimeNs}`;
  return stats.isFile()
    ? `file ${rights} ${stats.mtimeNs} ${readFileSync(path, 'utf8')}`
    : `other ${rights} ${stats.mode}`;
}
