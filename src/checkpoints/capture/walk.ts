import { type BigIntStats, closeSync, constants, lstatSync, readdirSync } from 'node:fs';
import { below, isKernelError, openAt, resolve } from '../../kernel/index.ts';
import { about } from '../failure.ts';

export interface Found {
  /** As in an entry. */
  readonly path: string;
  /** The same entry for system calls, while it is being visited. */
  readonly place: Buffer;
  readonly stats: BigIntStats;
}

export interface Walk {
  /** The root of the tree, open. */
  readonly root: number;
  /** `skip` leaves out the entry and what lies in it. */
  readonly visit: (found: Found) => 'go-on' | 'skip';
  /** A directory that something else is mounted on. */
  readonly mounted: (path: string) => void;
}

/**
 * Visits a tree, each directory before what lies in it, names in the order of their bytes. Each directory is opened from
 * the one above it, so that a symlink that is swapped in leads nowhere. An entry that goes away meanwhile is left out.
 */
export function walk(walking: Walk): void {
  const place = below(walking.root, '');
  if (walking.visit({ path: '', place, stats: lstatSync(below(walking.root, '.'), { bigint: true }) }) === 'go-on') walkIn(walking.root, '', walking);
}

function walkIn(directory: number, path: string, walking: Walk): void {
  const names = about(path, 'cannot be listed', () => readdirSync(`/proc/self/fd/${directory}`, { encoding: 'latin1' })).sort();
  const prefix = path === '' ? '' : `${path}/`;
  for (const name of names) {
    const bytes = Buffer.from(name, 'latin1');
    const place = below(directory, bytes);
    const stats = lstatSync(place, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) continue;
    const inner = `${prefix}${name}`;
    if (walking.visit({ path: inner, place, stats }) === 'go-on' && stats.isDirectory()) enter({ directory, bytes, inner }, walking);
  }
}

interface Step {
  readonly directory: number;
  readonly bytes: Buffer;
  readonly inner: string;
}

function enter({ directory, bytes, inner }: Step, walking: Walk): void {
  const opened = openInner(directory, bytes, inner);
  if (opened === 'mounted') walking.mounted(inner);
  if (opened === 'mounted' || opened === 'gone') return;
  try {
    walkIn(opened, inner, walking);
  } finally {
    closeSync(opened);
  }
}

function openInner(directory: number, bytes: Buffer, inner: string): number | 'mounted' | 'gone' {
  try {
    return openAt(directory, bytes, { flags: constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW, resolve: resolve.beneath | resolve.noSymlinks | resolve.noMountCrossing });
  } catch (error) {
    if (isKernelError(error, 'EXDEV')) return 'mounted';
    if (isKernelError(error, 'ENOENT') || isKernelError(error, 'ENOTDIR') || isKernelError(error, 'ELOOP')) return 'gone';
    return about(inner, 'cannot be listed', () => {
      throw error;
    });
  }
}
