import { closeSync, readlinkSync } from 'node:fs';
import { HoldfastError } from '../../../errors/index.ts';
import { entryNames, entryPath, insidePlace, openPlace, statsOf } from '../../../staged/changes/place.ts';

/** An entry to send, as the walk sees it. */
export interface FoundEntry {
  /** Relative, bytes as latin1. */
  readonly path: string;
  readonly type: 'file' | 'directory' | 'symlink';
  readonly mode: number;
  readonly size: number;
  /** Seconds since 1970. */
  readonly modified: number;
  readonly target?: string;
}

export interface FoundWorkspace {
  readonly found: readonly FoundEntry[];
  readonly leftOut: readonly string[];
  readonly bytes: number;
}

/** A volume of the pod holds 10 GiB, with the writes of the command. */
const mostBytes = 8 * 2 ** 30;
const mostEntries = 2_000_000;

/**
 * Lists the files of a workspace that go to a cluster. Hidden files stay here. The walk follows no link, so a box that
 * works in the workspace meanwhile cannot redirect it. Throws `HF_QUOTA_EXCEEDED` for a workspace that is too large.
 */
export function walkWorkspace(root: string, hidden: ReadonlySet<string>): FoundWorkspace {
  const walk: Walk = { found: [], leftOut: [], hidden, bytes: 0 };
  const place = openPlace(root);
  try {
    walkDirectory(walk, place, '');
  } finally {
    closeSync(place);
  }
  return walk;
}

interface Walk {
  readonly found: FoundEntry[];
  readonly leftOut: string[];
  readonly hidden: ReadonlySet<string>;
  bytes: number;
}

function walkDirectory(walk: Walk, place: number, directory: string): void {
  for (const name of entryNames(place)) {
    const path = directory === '' ? name.toString('latin1') : `${directory}/${name.toString('latin1')}`;
    if (walk.hidden.has(path)) walk.leftOut.push(path);
    else walkEntry(walk, { place, name, path });
  }
}

interface Place {
  readonly place: number;
  readonly name: Buffer;
  readonly path: string;
}

function walkEntry(walk: Walk, { place, name, path }: Place): void {
  const stats = statsOf(place, name);
  if (stats === undefined) return;
  const type = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'directory'
      : stats.isSymbolicLink()
        ? 'symlink'
        : undefined;
  if (type === undefined) return void walk.leftOut.push(path);
  const size = type === 'file' ? Number(stats.size) : 0;
  walk.bytes += size;
  const entry: FoundEntry = {
    path,
    type,
    mode: Number(stats.mode) & 0o777,
    size,
    modified: Number(stats.mtimeMs / 1000n),
    ...(type === 'symlink' ? { target: readlinkSync(entryPath(place, name), { encoding: 'latin1' }) } : {}),
  };
  const at = walk.found.push(entry);
  if (walk.bytes > mostBytes || at > mostEntries) throw tooLarge();
  if (type !== 'directory') return;
  try {
    insidePlace(place, name, (inside) => walkDirectory(walk, inside, path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    walk.found.length = at - 1;
    walk.leftOut.push(path);
  }
}

function tooLarge(): HoldfastError {
  return new HoldfastError('HF_QUOTA_EXCEEDED', 'the workspace has more than 8 GiB or 2,000,000 entries', {
    remedy: 'start in a smaller directory, or name one with --workspace; nothing was sent',
  });
}
