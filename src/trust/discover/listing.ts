import { type Dirent, readdirSync } from 'node:fs';
import { isSame, type KnownDirectory, type Stamp, stampOf, statOf } from './memory.ts';
import { lowered, type NameMatcher, nowhere, type ChainStates } from './name-matcher.ts';

export interface ListedDirectory {
  readonly name: string;
  /** Path relative to the root, as reported. */
  readonly path: string;
  readonly standing: ChainStates;
  /** `going`: searches only for names that the table lists below this directory. */
  readonly of: 'any' | 'going';
  readonly known: KnownDirectory | undefined;
}

export interface Listing {
  /** The current directory. Its inner directories are added later. */
  readonly current: KnownDirectory;
  readonly directories: readonly { readonly name: string; readonly known: KnownDirectory | undefined }[];
}

export interface ListingPlace {
  /** Lists a directory, from memory if it is unchanged. Undefined if it is gone. Throws the errors of Node. */
  readonly place: string;
  readonly now: number;
  readonly matcher: NameMatcher;
}

/**
 * Lists an unchanged directory from memory, and any other from the disk. Undefined if it is missing. Throws the errors
 * of Node.
 */
export function listDirectory(directory: ListedDirectory, { place, now, matcher }: ListingPlace): Listing | undefined {
  const stats = statOf(place);
  if (stats === undefined || !stats.isDirectory()) return undefined;
  const { name, known } = directory;
  if (known !== undefined && known[1] !== null && isSame(known[1], stats)) {
    return {
      current: [name, known[1], known[2], known[3], known[4], []],
      directories: known[5].map((inner) => ({ name: inner[0], known: inner })),
    };
  }
  return fresh(directory, readdirSync(place, { withFileTypes: true }), { stamp: stampOf(stats, now) ?? null, matcher });
}

function fresh(
  directory: ListedDirectory,
  entries: readonly Dirent[],
  { stamp, matcher }: { readonly stamp: Stamp | null; readonly matcher: NameMatcher },
): Listing {
  const [directories, files, links]: [string[], string[], string[]] = [[], [], []];
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isDirectory()) {
      if (isEntered(directory, name, matcher)) directories.push(name);
      continue;
    }
    const { surface, standing } = matcher.match(name, directory.standing, directory.of);
    if (surface !== undefined || standing !== nowhere) (entry.isSymbolicLink() ? links : files).push(name);
  }
  const inner = new Map(directory.known?.[5].map((known) => [known[0], known]));
  return {
    current: [directory.name, stamp, entries.length, files, links, []],
    directories: directories.map((name) => ({ name, known: inner.get(name) })),
  };
}

function isEntered({ path, standing, of }: ListedDirectory, name: string, matcher: NameMatcher): boolean {
  const lower = lowered(name);
  if (notEntered.has(lower) || (lower === otherWorkspaces.name && path.toLowerCase().endsWith(otherWorkspaces.below)))
    return false;
  return of === 'any' || matcher.match(name, standing, 'going').standing !== nowhere;
}

/** Directories that are not entered, and why. A launcher also hides names inside them. */
export const notEntered: ReadonlyMap<string, string> = new Map([
  ['node_modules', 'installed packages: tens of thousands of files that nobody wrote here'],
  ['.venv', 'installed packages of Python'],
  ['site-packages', 'installed packages of Python'],
  ['__pycache__', 'compiled files'],
  ['.hg', "Mercurial's own files"],
  ['.svn', "Subversion's own files"],
]);

/** Directories in which only names are searched for that the table lists below them. */
export const closedDirectories: ReadonlySet<string> = new Set(['.git']);

/** Claude Code keeps whole worktrees in `.claude/worktrees`. Each is a repository with its own workspace. */
const otherWorkspaces = { name: 'worktrees', below: '.claude' } as const;
