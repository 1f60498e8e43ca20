/**
 * Discovery: searches a repository for the names of the table, reads each found file once, and reports everything that
 * it could not read.
 *
 * All input is hostile, and may change while it is read. Discovery writes nothing. The memory of an earlier discovery
 * saves reads, but never replaces the bytes that are used.
 */
import { realpathSync, type Stats, statSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';
import { sha256Of } from '../store/layout.ts';
import type { Discovery, FoundFile, Surface } from '../types.ts';
import {
  absoluteBelow,
  type AllLimits,
  defaultLimits,
  type DiscoveryLimits,
  emptyMemory,
  isSame,
  type KnownFile,
  type Memory,
  memoryText,
  parseMemory,
  Problems,
  stampOf,
  statOf,
} from './memory.ts';
import { type CallLogFile, namedFiles } from './named-files.ts';
import { readBelow } from './open-below.ts';
import { type SurfaceCandidate, type SurfaceWalk, walkSurfaces } from './walk.ts';

export interface DiscoverOptions {
  /**
   * `memory` of an earlier discovery of this root, from a path that no box can write. Files and directories with the
   * same stamp are not read again. An approval, or a use of bytes, must not rely on it: see `Stamp` in `memory.ts`.
   */
  readonly memory?: string;
  readonly limits?: DiscoveryLimits;
}

export interface Discovered extends Discovery {
  /** Returns the memory for the next discovery of this root. It contains no more than `files`. */
  readonly memory: () => string;
}

/**
 * Finds the files of a repository that could execute, redirect or speak to an agent. Reads each file once, and hashes
 * it and the scripts that it names. Runs and loads nothing, and follows no symlink out of the root.
 *
 * Throws `HF_WORKSPACE_MISSING` if the root is not a directory. Everything else that could not be read is in
 * `problems`.
 */
export async function discover(root: string, { memory, limits }: DiscoverOptions = {}): Promise<Discovered> {
  const real = realRoot(root);
  const search: Search = {
    root: real,
    before: parseMemory(real, memory),
    after: emptyMemory(),
    limits: { ...defaultLimits, ...limits },
    problems: new Problems(),
    now: Date.now(),
    changed: false,
    linked: false,
    read: 0,
    cost: 0,
  };
  const { candidates, looked } = walkSurfaces(search);
  const files: FoundFile[] = [];
  for (const candidate of candidates) {
    if (files.length >= search.limits.files || search.read > search.limits.totalSize) {
      search.problems.add(
        `there are more than ${search.limits.files} files or ${search.limits.totalSize >> 20} MiB to read: the rest was not inspected`,
      );
      break;
    }
    const found = await lookAt(candidate, search);
    if (found !== undefined) files.push(found);
  }
  return {
    root: real,
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    problems: search.problems.list(),
    looked,
    memory: () => (memory !== undefined && isAsBefore(search) ? memory : memoryText(real, search.after)),
  };
}

/**
 * Limit of the parsing cost, in multiples of the slowest file of a format. A repository of 500 packages costs less than
 * two.
 */
const mostCost = 20;

interface Search extends SurfaceWalk {
  /** Bytes read so far. */
  read: number;
  /** Parsing cost so far. */
  cost: number;
}

/** A missing directory changes its parent, and missing files and scripts change their number. */
function isAsBefore({ changed, before, after }: Search): boolean {
  return (
    !changed &&
    before.top.length > 0 &&
    before.files.size === after.files.size &&
    before.scripts.size === after.scripts.size
  );
}

function realRoot(root: string): string {
  try {
    return realpathSync.native(root);
  } catch (cause) {
    throw new HoldfastError('HF_WORKSPACE_MISSING', 'there is no such directory', {
      remedy: 'name an existing directory',
      cause,
    });
  }
}

async function lookAt({ path, surface, real }: SurfaceCandidate, search: Search): Promise<FoundFile | undefined> {
  if (real.kind === 'problem') return unreadable({ path, surface }, real.problem, 0);
  const target = real.path === path ? {} : { target: real.path };
  const known = knownAt(path, real.path, search);
  const look = known?.surface === surface.name ? known : await readFound({ path, surface, real: real.path }, search);
  if (look.stamp !== undefined) search.after.files.set(path, look);
  return look.found === undefined
    ? undefined
    : { path, ...target, surface, ...look.found, scripts: scriptsOf(look.named, search) };
}

function knownAt(path: string, real: string, { root, before }: Search): KnownFile | undefined {
  const known = before.files.get(path);
  const stats = known === undefined ? undefined : statOf(absoluteBelow(root, real));
  return stats !== undefined && known?.stamp !== undefined && isSame(known.stamp, stats) ? known : undefined;
}

type Found = Pick<FoundFile, 'path' | 'surface'>;

async function readFound(
  { path, surface, real }: Found & { readonly real: string },
  search: Search,
): Promise<KnownFile> {
  search.changed = true;
  const read = readBelow(search.root, real, search.limits.fileSize);
  if (read.kind === 'refused')
    return {
      stamp: undefined,
      surface: surface.name,
      named: [],
      found: unreadable({ path, surface }, read.problem, read.size),
    };
  search.read += read.bytes.length;
  const stamp = stampOf(read.stats, search.now);
  if (!mayCount(surface, read.bytes)) return { stamp, surface: surface.name, named: [] };
  const { readingCost: costOf, extract, unparsed } = await import('../extract/extract-fields.ts');
  search.cost += costOf(surface, read.bytes.length);
  const { fields, commands, directories, problem } =
    search.cost > mostCost
      ? unparsed(surface, read.bytes, 'the limit was reached before its fields could be read')
      : await extract(surface, read.bytes);
  if (surface.counts === 'with-fields' && fields.length === 0) return { stamp, surface: surface.name, named: [] };
  const found = {
    sha256: sha256Of(read.bytes),
    size: read.bytes.length,
    fields,
    ...(problem === undefined ? {} : { problem }),
  };
  return {
    stamp,
    surface: surface.name,
    named: namedFiles(commands, { path, components: surface.components, root: search.root, directories }),
    found,
  };
}

function unreadable({ path, surface }: Found, problem: string, size: number): FoundFile {
  return { path, surface, sha256: '', size, fields: [], scripts: [], problem };
}

/**
 * Returns whether a file that counts only with fields may have one. It may if it contains a key of one of its patterns,
 * or an escape that could spell one. Most JSON of a repository is data, and is not parsed.
 */
function mayCount({ counts, fields, format }: Surface, bytes: Buffer): boolean {
  if (counts !== 'with-fields' || (format !== 'json' && format !== 'jsonc')) return true;
  return bytes.includes('\\u') || fields.some(({ path }) => bytes.includes(longestKey(path)));
}

function longestKey(path: string): string {
  return path
    .split(/(?<!\\)\./u)
    .filter((key) => !/[*?]/u.test(key))
    .reduce((longest, key) => (key.length > longest.length ? key.replaceAll('\\.', '.') : longest), '');
}

type Scripts = FoundFile['scripts'];

interface ScriptSearch {
  readonly root: string;
  readonly before: Memory;
  readonly after: Memory;
  readonly limits: AllLimits;
  readonly problems: Problems;
  readonly now: number;
  changed: boolean;
}

/**
 * Returns hashes of the named regular files, by path. For a symlink, both the link and its target in the root are
 * listed.
 */
function scriptsOf(named: readonly CallLogFile[], search: ScriptSearch): Scripts {
  const found = new Map<string, string | undefined>();
  for (const { candidates, expected } of named) {
    const there = candidates.flatMap((path) => scriptAt(path, search));
    for (const { path, sha256 } of there) found.set(path, sha256);
    if (there.length === 0 && expected !== undefined && !found.has(expected)) found.set(expected, undefined);
  }
  return [...found]
    .map(([path, sha256]) => (sha256 === undefined ? { path } : { path, sha256 }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function scriptAt(path: string, search: ScriptSearch): readonly { readonly path: string; readonly sha256: string }[] {
  const place = absoluteBelow(search.root, path);
  if (regular(place) === undefined) return [];
  const real = realIn(search.root, place);
  const sha256 = real === undefined ? undefined : hashAt(real, search);
  if (real === undefined || sha256 === undefined) return [];
  return real === path
    ? [{ path, sha256 }]
    : [
        { path, sha256 },
        { path: real, sha256 },
      ];
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

/** Relative to the root. Undefined outside of it. */
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
  const stats = statOf(absoluteBelow(root, path));
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
