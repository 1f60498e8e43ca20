import type { BigIntStats } from 'node:fs';
import {
  compareEntry,
  entryFacts,
  type RawChange,
  goneFromHost,
  hostConflict,
  joinPath,
  type CopyUpTime,
  type TakenAt,
} from './compare-entry.ts';
import { type Attributes, isCopiedUp, isOpaque, isWhiteout, readAttributes } from './overlay-marks.ts';
import { entryPath, insidePlace, entryNames, ownStats, type DirectoryDescriptor, statsOf } from './place.ts';

/** Finds the differences of one root, a directory before its entries. */
export function walkRoot(
  places: { readonly host: DirectoryDescriptor; readonly staged: DirectoryDescriptor },
  limits: Omit<Walk, 'found'>,
): readonly RawChange[] {
  const walk: Walk = { found: [], ...limits };
  mergedLevel(walk, { path: Buffer.alloc(0), upper: places.staged, host: places.host, gone: false, opaque: false });
  return walk.found;
}

const tooLong = { rule: 'path-too-long', reason: 'its path is longer than programs can name' };

interface Walk {
  readonly found: RawChange[];
  readonly takenAt: TakenAt;
  /** Bytes of the longest relative path that programs can still name. */
  readonly longest: number;
  /** With more differences, the walk ends with a `RangeError`. */
  readonly most: number;
}

/** A directory of the upper side, beside the host's of the same name. */
interface Level {
  /** Relative to the root. Empty for the root itself. */
  readonly path: Buffer;
  readonly upper: DirectoryDescriptor;
  readonly host: DirectoryDescriptor | undefined;
  /** Whether the host had this directory and no longer has it. */
  readonly gone: boolean;
  /** Whether the directory, or one above it, is opaque: it hides the host's at any depth. */
  readonly opaque: boolean;
}

interface Upper {
  readonly name: Buffer;
  readonly path: Buffer;
  readonly entry: Buffer;
  readonly stats: BigIntStats;
  readonly attributes: Attributes;
  readonly taken: CopyUpTime;
}

/** The host's entry of the same name. */
interface Host {
  readonly place: DirectoryDescriptor;
  readonly stats: BigIntStats;
}

function mergedLevel(walk: Walk, level: Level): ReadonlySet<string> {
  const names = entryNames(level.upper);
  for (const name of names) upperEntry(walk, level, name);
  return new Set(names.map((name) => name.toString('latin1')));
}

function upperEntry(walk: Walk, level: Level, name: Buffer): void {
  const stats = statsOf(level.upper, name);
  if (stats === undefined) return;
  const entry = entryPath(level.upper, name);
  const attributes = readAttributes(entry);
  const upper: Upper = {
    name,
    path: joinPath(level.path, name),
    entry,
    stats,
    attributes,
    taken: walk.takenAt(stats),
  };
  const host = hostOf(level, name);
  if (isWhiteout(stats, attributes)) {
    if (host !== undefined) deletedEntry(walk, { ...upper, ...host });
  } else if (upper.path.length > walk.longest) {
    walk.found.push({ kind: 'added', path: upper.path, after: entryFacts(stats, entry), refusal: tooLong });
  } else if (host === undefined) {
    addedEntry(walk, level, upper);
  } else {
    changedEntry(walk, level, { upper, host });
  }
}

function hostOf({ host: place }: Level, name: Buffer): Host | undefined {
  const stats = place === undefined ? undefined : statsOf(place, name);
  return place === undefined || stats === undefined ? undefined : { place, stats };
}

function addedEntry(walk: Walk, level: Level, upper: Upper): void {
  const { path, entry, stats, attributes, taken } = upper;
  const copiedUp = isCopiedUp(attributes);
  // The overlay never moves a directory of the host. So if a copied-up directory has no counterpart, the host has lost
  // it.
  const gone = level.gone || (stats.isDirectory() && copiedUp);
  const orphan = !gone && copiedUp && lostNamesSince(level, taken);
  const at = walk.found.push({
    kind: 'added',
    path,
    after: entryFacts(stats, entry),
    ...(gone ? { conflict: goneFromHost } : {}),
    ...(orphan ? { doubt: 'moved-or-gone' } : {}),
  });
  if (!stats.isDirectory()) return;
  descend(walk, { path, host: undefined, gone, opaque: level.opaque }, { upper, place: level.upper, at: at - 1 });
  // The directory was copied up only to note a deletion in it.
  if (gone && walk.found.length === at) walk.found.pop();
}

/** Returns whether names appeared or disappeared in the host's directory after that moment. */
function lostNamesSince({ host }: Level, taken: CopyUpTime): boolean {
  return host !== undefined && ownStats(host).mtimeNs >= taken;
}

function changedEntry(walk: Walk, level: Level, { upper, host }: { readonly upper: Upper; readonly host: Host }): void {
  const { name, path, entry, stats, attributes, taken } = upper;
  const difference = compareEntry({
    path,
    taken,
    host: { entry: entryPath(host.place, name), stats: host.stats },
    staged: { entry, stats, attributes },
  });
  const at = difference === undefined ? undefined : walk.found.push(difference) - 1;
  const opaque = level.opaque || isOpaque(attributes);
  if (host.stats.isDirectory()) {
    insidePlace(host.place, name, (inside) => {
      const kept = stats.isDirectory()
        ? descend(walk, { path, host: inside, gone: false, opaque }, { upper, place: level.upper, at })
        : none;
      if (!stats.isDirectory() || opaque) deletedContent(walk, { path, place: inside, taken }, kept);
    });
  } else if (stats.isDirectory()) {
    descend(walk, { path, host: undefined, gone: false, opaque }, { upper, place: level.upper, at });
  }
}

const none: ReadonlySet<string> = new Set();

interface Descent {
  readonly upper: Upper;
  readonly place: DirectoryDescriptor;
  /** Index of the directory's own difference. */
  readonly at: number | undefined;
}

/** Walks a directory of the upper side, and returns its names. */
function descend(walk: Walk, level: Omit<Level, 'upper'>, { upper, place, at }: Descent): ReadonlySet<string> {
  let names = none;
  const readable = isReadable(() => {
    insidePlace(place, upper.name, (inside) => {
      names = mergedLevel(walk, { ...level, upper: inside });
    });
  });
  if (readable) return names;
  const facts = entryFacts(upper.stats, upper.entry);
  const own = at === undefined ? undefined : walk.found[at];
  if (own === undefined || at === undefined)
    walk.found.push({ kind: 'metadata', path: level.path, before: facts, after: facts, refusal: unreadable });
  else walk.found[at] = { ...own, refusal: unreadable };
  return names;
}

/** An entry of the host that the layer no longer has. */
interface Lost {
  readonly path: Buffer;
  readonly name: Buffer;
  /** The host's directory that holds it. */
  readonly place: DirectoryDescriptor;
  readonly stats: BigIntStats;
  /** Time at which the layer lost the entry, or earlier. */
  readonly taken: CopyUpTime;
}

/** Reports an entry of the host and everything below it as deleted. */
function deletedEntry(walk: Walk, { path, name, place, stats, taken }: Lost): void {
  const { found, most } = walk;
  // The host's directory may have any number of entries.
  if (found.length >= most) throw new RangeError(`more than ${most} changes`);
  const conflict = hostConflict(stats, { taken, copiedUp: false });
  const deleted: RawChange = {
    kind: 'deleted',
    path,
    before: entryFacts(stats, entryPath(place, name)),
    ...(conflict === undefined ? {} : { conflict }),
  };
  const at = found.push(deleted);
  if (!stats.isDirectory()) return;
  insidePlace(place, name, (inside) => {
    if (!isReadable(() => deletedContent(walk, { path, place: inside, taken })))
      found[at - 1] = { ...deleted, refusal: unreadable };
  });
}

/** Reports the entries of a directory as deleted, except some names. */
function deletedContent(
  walk: Walk,
  { path, place, taken }: Pick<Lost, 'path' | 'place' | 'taken'>,
  kept: ReadonlySet<string> = new Set(),
): void {
  for (const name of entryNames(place)) {
    const stats = kept.has(name.toString('latin1')) ? undefined : statsOf(place, name);
    if (stats !== undefined) deletedEntry(walk, { path: joinPath(path, name), name, place, stats, taken });
  }
}

const unreadable = { rule: 'unreadable', reason: 'its content cannot be read' };

/** Returns false if this user may not open a directory for reading. */
function isReadable(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return false;
    throw error;
  }
}
