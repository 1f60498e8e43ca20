import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { sha256Of } from '../store/layout.ts';
import type { FoundFile } from '../types.ts';
import type { CallLogFile } from './named-files.ts';

/**
 * A directory as last seen: names of relevant files and symlinks, and the subdirectories that are entered. An unchanged
 * directory need not be listed again. An array, because there are thousands of them. `null` if it had just changed.
 */
export type KnownDirectory = readonly [
  name: string,
  stamp: Stamp | null,
  looked: number,
  files: readonly string[],
  links: readonly string[],
  inner: KnownDirectory[],
];

/** Content of a file. Has no `found` if the file is not relevant. */
export interface KnownFile {
  readonly stamp: Stamp | undefined;
  readonly surface: string;
  readonly found?: Pick<FoundFile, 'sha256' | 'size' | 'fields' | 'problem'>;
  /** Files that its commands may name. */
  readonly named: readonly CallLogFile[];
}

export interface KnownScript {
  readonly stamp: Stamp;
  readonly sha256: string;
}

export interface KnownFinds {
  readonly looked: number;
  readonly candidates: readonly (readonly [path: string, surface: string, target?: string])[];
}

/** Results of an earlier discovery of one root. */
export interface Memory {
  /** Contains the root, or nothing. */
  readonly top: KnownDirectory[];
  /** Results of the walk. Undefined if the next one must walk again. */
  found: KnownFinds | undefined;
  readonly files: Map<string, KnownFile>;
  readonly scripts: Map<string, KnownScript>;
}

export const emptyMemory = (): Memory => ({ top: [], found: undefined, files: new Map(), scripts: new Map() });

export function memoryText(root: string, { top, found, files, scripts }: Memory): string {
  const body = JSON.stringify({ version: memoryVersion, root, top, found, files: [...files], scripts: [...scripts] });
  return `${sha256Of(body)}\n${body}`;
}

/**
 * Returns an empty memory for a text that Holdfast did not write, and for one of another root or version. The text must
 * come from a path that boxes cannot write.
 */
export function parseMemory(root: string, text: string | undefined): Memory {
  const end = text?.indexOf('\n') ?? -1;
  if (text === undefined || end === -1) return emptyMemory();
  const body = text.slice(end + 1);
  if (sha256Of(body) !== text.slice(0, end)) return emptyMemory();
  const read = JSON.parse(body) as Written;
  return read.version === memoryVersion && read.root === root
    ? { top: read.top, found: read.found, files: new Map(read.files), scripts: new Map(read.scripts) }
    : emptyMemory();
}

interface Written {
  readonly version: string;
  readonly root: string;
  readonly top: KnownDirectory[];
  readonly found?: KnownFinds;
  readonly files: (readonly [string, KnownFile])[];
  readonly scripts: (readonly [string, KnownScript])[];
}

/**
 * Version of the table and of the extraction. A memory of another version is not used, because it saw other facts.
 * Raise the number when extraction changes. When the table changes, take the hash that the failing test prints.
 * Computing the hash here would take as long as checking all directories.
 */
export const memoryVersion = '3 697903fd3c79d987';

/**
 * Shows that a file or a directory is unchanged: device, inode, size, modification time and change time. Programs can
 * set the modification time freely, but not the change time (inode(7)). A directory's times change with each name that
 * is added, removed or replaced. A stamp misses a write through an older memory mapping. So it may save a read, but
 * never replaces the bytes that are used.
 */
export type Stamp = readonly [device: number, inode: number, size: number, content: number, changed: number];

/** Undefined for a missing file. Throws all other errors of `lstat`. */
export function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

export function isSame(
  [device, inode, size, content, changed]: Stamp,
  { dev, ino, size: length, mtimeMs, ctimeMs }: Stats,
): boolean {
  return ctimeMs === changed && ino === inode && mtimeMs === content && length === size && dev === device;
}

/**
 * Undefined for a file that has just changed. The file system's clock ticks in milliseconds, and would hide a second
 * change in the same tick.
 */
export function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats, now: number): Stamp | undefined {
  return now - ctimeMs < tooFresh ? undefined : [dev, ino, size, mtimeMs, ctimeMs];
}

/** Milliseconds. */
const tooFresh = 2000;

export interface DiscoveryLimits {
  /** Most names examined. Default: 2,000,000. */
  readonly entries?: number;
  /** Most files reported. Default: 20,000. */
  readonly files?: number;
  /** Most bytes of one hashed file. Default: 64 MiB. */
  readonly fileSize?: number;
  /** Most bytes of all files. Default: 1 GiB. */
  readonly totalSize?: number;
}

export type AllLimits = Required<DiscoveryLimits>;

export const defaultLimits: AllLimits = { entries: 2_000_000, files: 20_000, fileSize: 64 << 20, totalSize: 1 << 30 };

/** Problems of a discovery. Lists up to a hundred, and counts the rest. */
export class Problems {
  readonly #told: string[] = [];
  #more = 0;

  add(problem: string): void {
    if (this.#told.length < 100) this.#told.push(problem);
    else this.#more++;
  }

  list(): readonly string[] {
    return this.#more === 0 ? this.#told : [...this.#told, `and ${this.#more} more`];
  }
}

/** A path relative to the root without symlinks, or the problem of a symlink on the way. */
export type RealPlace =
  | { readonly kind: 'at'; readonly path: string }
  | { readonly kind: 'problem'; readonly problem: string };

/** Resolves all symlinks of a path below the root. */
export function targetOf(
  root: string,
  path: string,
): RealPlace | { readonly kind: 'directory'; readonly path: string } {
  try {
    const real = realpathSync.native(absoluteBelow(root, path));
    if (real !== root && !real.startsWith(root === '/' ? root : `${root}/`))
      return { kind: 'problem', problem: 'it is a symlink that leads out of the repository' };
    return {
      kind: statSync(real).isDirectory() ? 'directory' : 'at',
      path: real.slice(root === '/' ? 1 : root.length + 1),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return { kind: 'problem', problem: 'it is a symlink that leads nowhere' };
  }
}

export function absoluteBelow(root: string, path: string): string {
  return path === '' ? root : root === '/' ? `/${path}` : `${root}/${path}`;
}
