import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProgramFact } from '../../plan/facts.ts';
// Not imported through the index, because `run` would load the whole plan room.
import { systemDirectories } from '../../plan/fixed-paths.ts';

export interface FoundPrograms {
  readonly facts: readonly ProgramFact[];
  /** The state of the facts' sources. The facts stay valid until it changes. */
  readonly stamp: ProgramStamp;
}

export interface ProgramStamp {
  /** Undefined if no program is refused as a whole, because then `PATH` does not matter. */
  readonly path?: string;
  /** Directories with the time of their last change. */
  readonly directories: readonly (readonly [string, string])[];
}

/**
 * Returns every file that one of the names leads to. `path` is the box's `PATH`; relative and empty entries are never
 * used.
 */
export function findPrograms(programs: readonly string[], path: string): FoundPrograms {
  if (programs.length === 0) return { facts: [], stamp: { directories: [] } };
  const directories = directoriesOf(path);
  const found = programs.flatMap((program) =>
    placesOf(program, directories).flatMap((place) => fileAt(program, place)),
  );
  const names = found.length === 0 ? nothing : namesByInode(directories);
  const facts = uniqueFiles(found).map(({ program, real, inode }): ProgramFact => {
    const entries = names.get(inode) ?? [];
    const [device = '', number = ''] = inode.split(':');
    return {
      program,
      real,
      identity: { device, inode: number, type: 'file' },
      names: [...new Set([real, ...entries.map(({ path: name }) => name)])],
      hardLinks: entries.flatMap(({ path: name, kind }) => (kind === 'file' && name !== real ? [name] : [])),
    };
  });
  const watched = new Set([
    ...directories,
    ...programs.flatMap((program) => (program.startsWith('/') ? [dirname(program)] : [])),
    ...found.map(({ real }) => dirname(real)),
    ...facts.flatMap((fact) => fact.names.flatMap(linkDirectories)),
  ]);
  return {
    facts,
    stamp: { path, directories: [...watched].sort().map((directory) => [directory, changeOf(directory)]) },
  };
}

/** Whether another search would give the same result. */
export function holdsPrograms({ path, directories }: ProgramStamp, now: string): boolean {
  return (
    (path === undefined || path === now) && directories.every(([directory, change]) => changeOf(directory) === change)
  );
}

/** Real paths, without duplicates. */
function directoriesOf(path: string): readonly string[] {
  const entries = [...path.split(':').filter((entry) => entry.startsWith('/')), ...systemDirectories];
  return [...new Set(entries.flatMap((entry) => real(entry) ?? []))];
}

function placesOf(program: string, directories: readonly string[]): readonly string[] {
  return program.startsWith('/') ? [program] : directories.map((directory) => join(directory, program));
}

interface FoundFile {
  readonly program: string;
  readonly real: string;
  /** `device:inode`. */
  readonly inode: string;
}

function fileAt(program: string, place: string): readonly FoundFile[] {
  const stats = statOf(place);
  const path = stats?.isFile() === true ? real(place) : undefined;
  return stats === undefined || path === undefined ? [] : [{ program, real: path, inode: inodeOf(stats) }];
}

function uniqueFiles(files: readonly FoundFile[]): readonly FoundFile[] {
  return [...new Map(files.map((file) => [JSON.stringify([file.program, file.real]), file])).values()];
}

interface Name {
  readonly path: string;
  readonly kind: 'file' | 'link';
}

const nothing: ReadonlyMap<string, readonly Name[]> = new Map();

function namesByInode(directories: readonly string[]): ReadonlyMap<string, readonly Name[]> {
  const names = new Map<string, Name[]>();
  for (const directory of directories) {
    for (const entry of entriesOf(directory)) {
      const stats = entry.isFile() || entry.isSymbolicLink() ? statOf(join(directory, entry.name)) : undefined;
      if (stats?.isFile() !== true) continue;
      const known = names.get(inodeOf(stats)) ?? [];
      known.push({ path: join(directory, entry.name), kind: entry.isFile() ? 'file' : 'link' });
      names.set(inodeOf(stats), known);
    }
  }
  return names;
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Directories with the links of a name, including `/etc/alternatives`. */
function linkDirectories(name: string): readonly string[] {
  const directories: string[] = [];
  let at = name;
  for (let links = 0; links < mostLinks && lstatOf(at)?.isSymbolicLink() === true; links += 1) {
    directories.push(dirname(at));
    const above = real(dirname(at));
    const text = above === undefined ? undefined : linkOf(join(above, at.slice(at.lastIndexOf('/') + 1)));
    if (above === undefined || text === undefined) break;
    at = join(text.startsWith('/') ? '/' : above, text);
  }
  return directories;
}

const mostLinks = 40;

function changeOf(directory: string): string {
  const stats = statOf(directory);
  return stats === undefined ? '' : `${inodeOf(stats)}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

function inodeOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

function real(path: string): string | undefined {
  return orNothing(() => realpathSync(path));
}

function statOf(path: string): BigIntStats | undefined {
  return orNothing(() => statSync(path, { bigint: true, throwIfNoEntry: false }));
}

function lstatOf(path: string): BigIntStats | undefined {
  return orNothing(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
}

function linkOf(path: string): string | undefined {
  return orNothing(() => readlinkSync(path));
}

function orNothing<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
