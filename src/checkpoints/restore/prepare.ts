import { closeSync, constants, openSync, symlinkSync } from 'node:fs';
import {
  applyMetadata,
  atFdcwd,
  below,
  kernelCall,
  linkAt,
  type EntryMetadata,
  oPath,
  openAt,
  type NameAt,
  resolve,
  terminated,
} from '../../kernel/index.ts';
import type { Store } from '../store/manifest.ts';
import { copyObject } from '../store/objects.ts';
import { about, compare, type Difference, type StoredDirectory, type CheckpointEntry, linksOf } from '../types.ts';

/**
 * Prepares all new entries, complete with their metadata, in a directory beside the tree. A full disk or a damaged
 * store is noticed here, before anything is changed.
 */
export function prepareRestore(store: Store, staging: number, install: readonly EntryInstallation[]): void {
  const numbers = new Map(install.map(({ entry }, number) => [entry.path, number]));
  for (const [number, { entry, linkTo }] of install.entries()) {
    about(entry.path, 'cannot be prepared', () => {
      if (linkTo === undefined) make(store, below(staging, preparedName(number)), entry);
      else
        linkAt(
          { directory: staging, name: preparedName(numbers.get(linkTo) ?? 0) },
          { directory: staging, name: preparedName(number) },
        );
    });
  }
}

export function preparedName(number: number): string {
  return `new-${number}`;
}

export function metadataFor({ mode, uid, gid, modified, attributes }: CheckpointEntry): EntryMetadata {
  return {
    mode,
    uid,
    gid,
    modified,
    attributes: new Map(Object.entries(attributes).map(([name, value]) => [name, Buffer.from(value, 'base64')])),
  };
}

function make(store: Store, place: Buffer, entry: EntryInstallation['entry']): void {
  if (entry.kind === 'file') makeFile(store, place, entry.object);
  else if (entry.kind === 'symlink') symlinkSync(latin1Bytes(entry.target), place);
  else kernelCall('mknodat', atFdcwd, terminated(place), fifo | 0o600, 0);
  applyMetadata(place, metadataFor(entry));
}

/** `sys/stat.h`: `S_IFIFO`. */
const fifo = 0o010000;

function makeFile(store: Store, place: Buffer, object: string): void {
  const file = openSync(place, 'wx', 0o600);
  try {
    copyObject(store, object, file);
  } finally {
    closeSync(file);
  }
}

/** Opens the directory of an entry, and returns the entry's name in it. */
export interface ParentDirectories {
  /**
   * Returns the parent and name of an entry by its path. Follows no symlink, and never leaves the workspace. Throws
   * `KernelError`.
   */
  at(path: string): NameAt;
  close(): void;
}

/** Neighbouring entries follow each other, so the last directory stays open for the next one. */
export function openParents(root: number): ParentDirectories {
  let last: { readonly path: string; readonly directory: number } | undefined;
  const close = (): void => {
    if (last !== undefined) closeSync(last.directory);
    last = undefined;
  };
  const at = (path: string): NameAt => {
    const parent = parentOf(path);
    if (last?.path !== parent) {
      close();
      last = { path: parent, directory: openBeneath(root, parent) };
    }
    return {
      directory: last.directory,
      name: latin1Bytes(path === '' ? '.' : path.slice(parent === '' ? 0 : parent.length + 1)),
    };
  };
  return { at, close };
}

export function latin1Bytes(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

/** One system call accepts a path of 4,095 bytes, but a tree can be deeper. */
const longest = 4000;

function openBeneath(root: number, path: string): number {
  if (path.length <= longest) return openPlace(root, path);
  const cut = path.lastIndexOf('/', longest);
  const way = openPlace(root, path.slice(0, cut));
  try {
    return openBeneath(way, path.slice(cut + 1));
  } finally {
    closeSync(way);
  }
}

function openPlace(root: number, path: string): number {
  return openAt(root, latin1Bytes(path === '' ? '.' : path), {
    flags: oPath | constants.O_DIRECTORY,
    resolve: resolve.beneath | resolve.noSymlinks | resolve.noMountCrossing,
  });
}

/** Steps from one tree to another. */
export interface RestorePlan {
  /** Files, links and FIFOs to remove. */
  readonly remove: readonly CheckpointEntry[];
  /** Directories to remove, deepest first. */
  readonly removeDirectories: readonly StoredDirectory[];
  /** New directories, topmost first. */
  readonly makeDirectories: readonly StoredDirectory[];
  readonly install: readonly EntryInstallation[];
  /** Files, links and FIFOs that already have the right content. */
  readonly adjust: readonly Adjustment[];
  /** Directories whose metadata is set at the end, deepest first. */
  readonly finish: readonly StoredDirectory[];
}

export interface EntryInstallation {
  readonly entry: Exclude<CheckpointEntry, StoredDirectory>;
  /** The replaced entry. Undefined for a new name, and for a directory, which is removed first. */
  readonly replaces?: CheckpointEntry;
  /** Path of an earlier installation step. This entry is another name of its file. */
  readonly linkTo?: string;
}

export interface Adjustment {
  readonly live: CheckpointEntry;
  readonly wanted: CheckpointEntry;
}

export function planRestore(live: readonly CheckpointEntry[], wanted: readonly CheckpointEntry[]): RestorePlan {
  const differences = compare(live, wanted);
  return {
    // A replaced file is exchanged for the new one in one step, so it is not removed first.
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
): readonly EntryInstallation[] {
  const first = new Map<string, string>();
  return differences.flatMap(({ kind, path, before, after }): readonly EntryInstallation[] => {
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

/** Writing in a directory changes the directory's time. */
function touchedDirectories(
  differences: readonly Difference[],
  wanted: readonly CheckpointEntry[],
): readonly StoredDirectory[] {
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
