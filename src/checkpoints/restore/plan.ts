import { compare, type Difference, linksOf } from '../compare.ts';
import type { DirectoryEntry, Entry } from '../types.ts';

/** What has to be done to make one tree out of another. */
export interface RestorePlan {
  /** Files, links and FIFOs that go. */
  readonly remove: readonly Entry[];
  /** Directories that go, the deepest first. */
  readonly removeDirectories: readonly DirectoryEntry[];
  /** New directories, the highest first. */
  readonly makeDirectories: readonly DirectoryEntry[];
  readonly install: readonly Installation[];
  /** Files, links and FIFOs whose content is right. */
  readonly adjust: readonly Adjustment[];
  /** Directories whose metadata is to be set when all else is done, the deepest first. */
  readonly finish: readonly DirectoryEntry[];
}

export interface Installation {
  readonly entry: Exclude<Entry, DirectoryEntry>;
  /** What it replaces; absent when there is nothing, or a directory, which goes before. */
  readonly replaces?: Entry;
  /** Path of an installation that comes before, whose file this one is another name of. */
  readonly linkTo?: string;
}

export interface Adjustment {
  readonly live: Entry;
  readonly wanted: Entry;
}

export function planRestore(live: readonly Entry[], wanted: readonly Entry[]): RestorePlan {
  const differences = compare(live, wanted);
  return {
    // A file that another one replaces is exchanged for it, in one step.
    remove: differences.flatMap(({ before, after }) =>
      before !== undefined && before.kind !== 'directory' && (after === undefined || after.kind === 'directory')
        ? before
        : [],
    ),
    removeDirectories: differences
      .flatMap(({ before, after }) => (before?.kind === 'directory' && after?.kind !== 'directory' ? before : []))
      .toReversed(),
    makeDirectories: differences.flatMap(({ before, after }) =>
      after?.kind === 'directory' && before?.kind !== 'directory' ? after : [],
    ),
    install: installations(differences, linksOf(wanted)),
    adjust: differences.flatMap(({ before, after, kind }) =>
      kind === 'metadata' && before !== undefined && after !== undefined && after.kind !== 'directory'
        ? { live: before, wanted: after }
        : [],
    ),
    finish: touchedDirectories(differences, wanted),
  };
}

export function isEmpty(plan: RestorePlan): boolean {
  return Object.values(plan).every((steps) => steps.length === 0);
}

function installations(
  differences: readonly Difference[],
  links: ReadonlyMap<string, string>,
): readonly Installation[] {
  const first = new Map<string, string>();
  return differences.flatMap(({ kind, path, before, after }): readonly Installation[] => {
    if (after === undefined || after.kind === 'directory' || kind === 'metadata') return [];
    const group = links.get(path);
    const linkTo = group === undefined ? undefined : first.get(group);
    if (group !== undefined && linkTo === undefined) first.set(group, path);
    const replaces = before === undefined || before.kind === 'directory' ? undefined : before;
    return [
      { entry: after, ...(replaces === undefined ? {} : { replaces }), ...(linkTo === undefined ? {} : { linkTo }) },
    ];
  });
}

/** Writing in a directory changes its time. */
function touchedDirectories(differences: readonly Difference[], wanted: readonly Entry[]): readonly DirectoryEntry[] {
  const touched = new Set<string>();
  for (const { path, kind, after } of differences) {
    if (after?.kind === 'directory') touched.add(path);
    if (kind !== 'metadata' && path !== '') touched.add(parentOf(path));
  }
  return wanted.flatMap((entry) => (entry.kind === 'directory' && touched.has(entry.path) ? entry : [])).toReversed();
}

export function parentOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
