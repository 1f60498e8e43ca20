import { type Dirent, readdirSync } from 'node:fs';
import { isSame, type KnownDirectory, type Stamp, stampOf, statOf } from './memory.ts';
import { lowered, type NameMatcher, nowhere, type ChainStates } from './name-matcher.ts';

export interface ListedDirectory {
  readonly name: string;
  /** Relative to the root, as it is told. */
  readonly path: string;
  readonly standing: ChainStates;
  /** `going`: only what the table names below it. */
  readonly of: 'any' | 'going';
  readonly known: KnownDirectory | undefined;
}

export interface Listing {
  /** As it is now; its inner directories are still to be put in. */
  readonly current: KnownDirectory;
  readonly directories: readonly { readonly name: string; readonly known: KnownDirectory | undefined }[];
}

export interface ListingPlace {
  /** Absolute. */
  readonly place: string;
  readonly now: number;
  readonly matcher: NameMatcher;
}

/**
 * From memory where the directory is as it was, and else from the directory. Undefined where there is none any more.
 * Throws as Node does.
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

/** Directories that are not looked into, and why. Whatever a launcher hides by name is hidden in them as well. */
export const notEntered: ReadonlyMap<string, string> = new Map([
  ['node_modules', 'installed packages: tens of thousands of files that nobody wrote here'],
  ['.venv', 'installed packages of Python'],
  ['site-packages', 'installed packages of Python'],
  ['__pycache__', 'compiled files'],
  ['.hg', "Mercurial's own files"],
  ['.svn', "Subversion's own files"],
]);

/** Directories in which only what the table names below them is looked for. */
export const closedDirectories: ReadonlySet<string> = new Set(['.git']);

/** Claude Code keeps whole work trees in `.claude/worktrees`: each is a repository, with a workspace of its own. */
const otherWorkspaces = { name: 'worktrees', below: '.claude' } as const;
