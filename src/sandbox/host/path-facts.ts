import { lstatSync, readlinkSync, type BigIntStats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FileIdentity, PathFact } from '../../plan/index.ts';

const missing: PathFact = { kind: 'missing' };
const maximumLinks = 40;

/** Walks a path component by component, noting every symlink on the way. */
export function pathFact(path: string): PathFact {
  const symlinks: string[] = [];
  let linkText: string | undefined;
  let done = '/';
  let stats = lstat('/');
  let rest = path.split('/').filter((part) => part !== '');
  while (rest.length > 0) {
    const next = join(done, rest[0] ?? '');
    stats = lstat(next);
    if (stats === undefined) return missing;
    if (!stats.isSymbolicLink()) {
      [done, rest] = [next, rest.slice(1)];
      continue;
    }
    if (symlinks.length === maximumLinks) return missing;
    const text = readlinkSync(next);
    if (rest.length === 1 && next === path) linkText = text;
    symlinks.push(next);
    rest = [...resolve(dirname(next), text).split('/').filter((part) => part !== ''), ...rest.slice(1)];
    done = '/';
  }
  if (stats === undefined) return missing;
  return { kind: 'present', real: done, identity: identityOf(stats), symlinks, ...(linkText === undefined ? {} : { linkText }) };
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
  return { device: stats.dev, inode: stats.ino, type: stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other' };
}
