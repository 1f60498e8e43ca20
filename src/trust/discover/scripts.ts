import { realpathSync, statSync, type Stats } from 'node:fs';
import { sha256Of } from '../store/layout.ts';
import type { FoundFile } from '../types.ts';
import type { AllLimits, Problems } from './limits.ts';
import type { Memory } from './memory.ts';
import type { NamedFile } from './named-files.ts';
import { readBelow } from './open-below.ts';
import { isSame, stampOf, statOf } from './stamp.ts';
import { absolute } from './symlinks.ts';

type Scripts = FoundFile['scripts'];

export interface ScriptSearch {
  readonly root: string;
  readonly before: Memory;
  readonly after: Memory;
  readonly limits: AllLimits;
  readonly problems: Problems;
  readonly now: number;
  changed: boolean;
}

/** Hashes of the regular files that are named. Where a symlink is, both it and the file in the root that it leads to are told. By path. */
export function scriptsOf(named: readonly NamedFile[], search: ScriptSearch): Scripts {
  const found = new Map<string, string | undefined>();
  for (const { candidates, expected } of named) {
    const there = candidates.flatMap((path) => scriptAt(path, search));
    for (const { path, sha256 } of there) found.set(path, sha256);
    if (there.length === 0 && expected !== undefined && !found.has(expected)) found.set(expected, undefined);
  }
  return [...found].map(([path, sha256]) => (sha256 === undefined ? { path } : { path, sha256 })).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function scriptAt(path: string, search: ScriptSearch): readonly { readonly path: string; readonly sha256: string }[] {
  const place = absolute(search.root, path);
  if (regular(place) === undefined) return [];
  const real = realIn(search.root, place);
  const sha256 = real === undefined ? undefined : hashAt(real, search);
  if (real === undefined || sha256 === undefined) return [];
  return real === path ? [{ path, sha256 }] : [{ path, sha256 }, { path: real, sha256 }];
}

function regular(place: string): Stats | undefined {
  try {
    const stats = statSync(place, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

/** Relative to the root; undefined for what lies outside of it. */
function realIn(root: string, place: string): string | undefined {
  try {
    const real = realpathSync.native(place);
    return real.startsWith(`${root}/`) ? real.slice(root.length + 1) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

function hashAt(path: string, search: ScriptSearch): string | undefined {
  const { root, before, after, limits, problems, now } = search;
  const stats = statOf(absolute(root, path));
  const known = after.scripts.get(path) ?? before.scripts.get(path);
  if (known !== undefined && stats !== undefined && isSame(known.stamp, stats)) {
    after.scripts.set(path, known);
    return known.sha256;
  }
  const read = readBelow(root, path, limits.fileSize);
  if (read.kind === 'refused') {
    problems.add(`${path}: a configuration names it as a script, and ${read.problem}`);
    return undefined;
  }
  const sha256 = sha256Of(read.bytes);
  search.changed = true;
  const fresh = stampOf(read.stats, now);
  if (fresh !== undefined) after.scripts.set(path, { stamp: fresh, sha256 });
  return sha256;
}
