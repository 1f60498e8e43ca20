import { lstatSync, readlinkSync, realpathSync, type BigIntStats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FileIdentity, PathFact } from '../../plan/index.ts';

const missing: PathFact = { kind: 'missing' };
const maximumLinks = 40;

/** What a path leads to, with every symlink on the way. */
export function pathFact(path: string): PathFact {
  const stats = lstat(path);
  if (stats === undefined) return missing;
  if (!stats.isSymbolicLink() && realPath(path) === path) return { kind: 'present', real: path, identity: identityOf(stats), symlinks: [] };
  return walk(path);
}

/** Component by component, where the short way has shown that there is a symlink somewhere. */
function walk(path: string): PathFact {
  const symlinks: string[] = [];
  let linkText: string | undefined;
  let done = '/';
  let rest = components(path);
  while (rest.length > 0) {
    const next = join(done, rest[0] ?? '');
    const stats = lstat(next);
    if (stats === undefined || symlinks.length === maximumLinks) return missing;
    if (!stats.isSymbolicLink()) {
      [done, rest] = [next, rest.slice(1)];
      continue;
    }
    const text = readlinkSync(next);
    if (next === path) linkText = text;
    symlinks.push(next);
    [done, rest] = ['/', [...components(resolve(dirname(next), text)), ...rest.slice(1)]];
  }
  const stats = lstat(done);
  if (stats === undefined) return missing;
  return { kind: 'present', real: done, identity: identityOf(stats), symlinks, ...(linkText === undefined ? {} : { linkText }) };
}

function components(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function lstat(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // EACCES, ENOTDIR: what we cannot see cannot be mounted.
    return undefined;
  }
}

function identityOf(stats: BigIntStats): FileIdentity {
  return { device: String(stats.dev), inode: String(stats.ino), type: stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other' };
}
