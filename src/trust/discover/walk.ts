import { surfaces } from '../surfaces/table.ts';
import type { Surface } from '../types.ts';
import { closedDirectories, listDirectory, type ListedDirectory, type Listing } from './listing.ts';
import {
  absoluteBelow,
  type AllLimits,
  isSame,
  type KnownDirectory,
  type Memory,
  type RealPlace,
  type Problems,
  statOf,
  targetOf,
} from './memory.ts';
import { lowered, type NameMatcher, nameMatcher, nowhere } from './name-matcher.ts';

/** A file whose name matches the table. */
export interface SurfaceCandidate {
  readonly path: string;
  readonly surface: Surface;
  /** Target if a symlink leads there, or the problem of the symlink. */
  readonly real: RealPlace;
}

export interface SurfaceWalk {
  /** Real path. */
  readonly root: string;
  readonly before: Memory;
  readonly after: Memory;
  readonly limits: AllLimits;
  readonly problems: Problems;
  readonly now: number;
  /** Whether anything changed since the last walk. */
  changed: boolean;
  /** Whether a symlink led to a directory, or to nothing. */
  linked: boolean;
}

interface Directory extends ListedDirectory {
  /** Real path. Differs from `path` below a symlink. */
  readonly real: string;
  /** Number of symlinks on the way. */
  readonly links: number;
  /** Where the memory stores it. */
  readonly into: KnownDirectory[];
}

/** Symlinks within symlinks. Nobody needs more, and two that point to each other would never end. */
const mostLinks = 2;

/**
 * Finds the names of the table below a root. Follows symlinks only if the table names them, and only within the root.
 */
export function walkSurfaces(walking: SurfaceWalk): {
  readonly candidates: readonly SurfaceCandidate[];
  readonly looked: number;
} {
  const { before, after } = walking;
  const unchanged = unchangedWalk(walking.root, before);
  if (unchanged === undefined) return newWalk(walking);
  after.top.push(...before.top);
  after.found = before.found;
  return unchanged;
}

function newWalk(walking: SurfaceWalk): { readonly candidates: readonly SurfaceCandidate[]; readonly looked: number } {
  walking.changed = true;
  const matcher = nameMatcher(surfaces);
  const waiting: Directory[] = [
    {
      name: '',
      path: '',
      real: '',
      standing: nowhere,
      of: 'any',
      links: 0,
      known: walking.before.top[0],
      into: walking.after.top,
    },
  ];
  const candidates: SurfaceCandidate[] = [];
  let looked = 0;
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    const listing = listed(directory, walking, matcher);
    if (listing === undefined) continue;
    looked += listing.current[2];
    if (looked > walking.limits.entries) {
      walking.problems.add(`there are more than ${walking.limits.entries} names: the rest was not inspected`);
      break;
    }
    directory.into.push(listing.current);
    visit(directory, listing, { walking, matcher, waiting, candidates });
  }
  if (isPlain(walking))
    walking.after.found = {
      looked,
      candidates: candidates.map(({ path, surface, real }) =>
        real.kind === 'at' && real.path !== path ? [path, surface.name, real.path] : [path, surface.name],
      ),
    };
  return { candidates, looked };
}

/**
 * Returns whether the next discovery can skip the walk. The memory does not cover entries below symlinks, or unreadable
 * ones.
 */
function isPlain({ problems, linked }: SurfaceWalk): boolean {
  return !linked && problems.list().length === 0;
}

function listed(directory: Directory, { root, problems, now }: SurfaceWalk, matcher: NameMatcher): Listing | undefined {
  try {
    return listDirectory(directory, { place: absoluteBelow(root, directory.real), now, matcher });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      problems.add(`${directory.path || '.'}: it cannot be listed (${code})`);
    return undefined;
  }
}

interface Visiting {
  readonly walking: SurfaceWalk;
  readonly matcher: NameMatcher;
  readonly waiting: Directory[];
  readonly candidates: SurfaceCandidate[];
}

function visit(directory: Directory, { current, directories }: Listing, visiting: Visiting): void {
  const { matcher, waiting, candidates } = visiting;
  for (const { name, known } of directories.toReversed()) {
    const inner = innerDirectory(directory, name, visiting);
    if (inner !== undefined) waiting.push({ ...inner, known, into: current[5] });
  }
  for (const name of current[3]) {
    const { surface } = matcher.match(name, directory.standing, directory.of);
    if (surface !== undefined)
      candidates.push({
        path: below(directory.path, name),
        surface,
        real: { kind: 'at', path: below(directory.real, name) },
      });
  }
  for (const name of current[4]) follow(directory, name, visiting);
}

function innerDirectory(
  directory: Directory,
  name: string,
  { walking, matcher }: Visiting,
): Omit<Directory, 'known' | 'into'> | undefined {
  const [path, real] = [below(directory.path, name), below(directory.real, name)];
  if (name.includes(undecodable) && statOf(absoluteBelow(walking.root, real)) === undefined) {
    walking.problems.add(`${path}: its name is not UTF-8, so it was not inspected`);
    return undefined;
  }
  const { standing } = matcher.match(name, directory.standing, directory.of);
  const { links } = directory;
  return closedDirectories.has(lowered(name))
    ? { name, path, real, standing: { ...standing, within: [] }, of: 'going', links }
    : { name, path, real, standing, of: directory.of, links };
}

/** Node's replacement for bytes that are not UTF-8. */
const undecodable = '\u{FFFD}';

function follow(directory: Directory, name: string, { walking, matcher, waiting, candidates }: Visiting): void {
  const path = below(directory.path, name);
  const { surface, standing } = matcher.match(name, directory.standing, directory.of);
  const target = targetOf(walking.root, below(directory.real, name));
  if (target.kind !== 'at') walking.linked = true;
  if (target.kind !== 'directory') {
    if (surface !== undefined) candidates.push({ path, surface, real: target });
  } else if (directory.links < mostLinks && standing !== nowhere)
    waiting.push({
      name,
      path,
      real: target.path,
      standing,
      of: 'going',
      links: directory.links + 1,
      known: undefined,
      into: [],
    });
}

function below(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

/**
 * Returns the result of the last walk if every directory and symlink is unchanged. Undefined if a new walk is needed.
 */
function unchangedWalk(
  root: string,
  { top: [top], found }: Memory,
): { readonly candidates: readonly SurfaceCandidate[]; readonly looked: number } | undefined {
  if (found === undefined || top === undefined || !areSame(root, top)) return undefined;
  const rows = new Map(surfaces.map((row) => [row.name, row]));
  const candidates: SurfaceCandidate[] = [];
  for (const [path, name, target] of found.candidates) {
    const surface = rows.get(name);
    const real = target === undefined ? { kind: 'at' as const, path } : targetOf(root, path);
    if (surface === undefined || real.kind !== 'at' || (target !== undefined && real.path !== target)) return undefined;
    candidates.push({ path, surface, real });
  }
  return { candidates, looked: found.looked };
}

/** Does only bare look-ups, because there are thousands of directories. */
function areSame(root: string, top: KnownDirectory): boolean {
  const places = [root];
  const directories = [top];
  for (let known = directories.pop(); known !== undefined; known = directories.pop()) {
    const place = places.pop() ?? root;
    if (known[1] === null || !isUnchanged(place, known[1])) return false;
    for (const inner of known[5]) {
      directories.push(inner);
      places.push(place === '/' ? `/${inner[0]}` : `${place}/${inner[0]}`);
    }
  }
  return true;
}

function isUnchanged(place: string, stamp: NonNullable<KnownDirectory[1]>): boolean {
  try {
    const stats = statOf(place);
    return stats !== undefined && isSame(stamp, stats);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}
