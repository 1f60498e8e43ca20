import { chmodSync, closeSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathText } from '../../kernel/tree/path-text.ts';
import { judgeAppeared } from './judge.ts';
import { copyWithin, openPinned, removeWithin, throughParent } from './trees.ts';

export interface QuarantineOptions {
  /** Directory of this session below the state directory. */
  readonly directory: string;
  readonly roots: readonly string[];
  readonly gitDirectories: readonly string[];
}

export interface Quarantined {
  /** Bytes that are not UTF-8 become `%FF`. */
  readonly path: string;
  /** New place: below the state directory, or beside its old name if that could not take it. */
  readonly movedTo: string;
  readonly reason: string;
}

/** A refused file that could be neither moved nor renamed. */
export interface LeftBehind {
  readonly path: string;
  readonly reason: string;
  readonly cause: unknown;
}

export interface Quarantine {
  readonly moved: readonly Quarantined[];
  readonly left: readonly LeftBehind[];
}

const longestName = 255;

/**
 * Moves away new protected names that are not harmless. Deletes nothing, and a failure with one does not stop the
 * others. Paths are bytes: as text, one that is not UTF-8 would name another file.
 */
export function quarantineAppeared(appeared: readonly Buffer[], options: QuarantineOptions): Quarantine {
  const [moved, left]: [Quarantined[], LeftBehind[]] = [[], []];
  for (const path of appeared) {
    const text = pathText(path);
    try {
      const item = quarantineOne(path, text, options);
      if (item !== undefined) moved.push(item);
    } catch (cause) {
      left.push({ path: text, reason: 'it could be neither judged nor moved away', cause });
    }
  }
  return { moved, left };
}

function quarantineOne(
  path: Buffer,
  text: string,
  { directory, roots, gitDirectories }: QuarantineOptions,
): Quarantined | undefined {
  return throughParent(path, (pinned) => {
    const judgement = judgeAppeared({ path, pinned, roots, gitDirectories });
    if (judgement.kind === 'harmless') return undefined;
    const done = putAside(pinned, directory, nameIn(text));
    if (done.kind === 'gone') return undefined;
    return { path: text, movedTo: done.kind === 'moved' ? done.to : `${text}${done.suffix}`, reason: judgement.reason };
  });
}

/** With bytes that are not UTF-8 as `%FF`, a name can become longer than file systems take. */
function nameIn(text: string): string {
  const name = text.slice(text.lastIndexOf('/') + 1);
  return Buffer.byteLength(name) > longestName ? 'item' : name;
}

type PutAside =
  | { readonly kind: 'moved'; readonly to: string }
  /** It could not be moved, and has another name in its old place. */
  | { readonly kind: 'renamed'; readonly suffix: string }
  | { readonly kind: 'gone' };

/** As in `native/src/launch/names/sweep.c`, which does the same without a supervisor. */
const refusedSuffix = '.refused-by-holdfast';
const largestCopy = { bytes: 256 << 20, entries: 100_000 } as const;

/**
 * Moves the file at `pinned` into a fresh directory below `directory`, as `name`. Overwrites and deletes nothing.
 * Throws if it can be neither moved nor renamed.
 */
function putAside(pinned: Buffer, directory: string, name: string): PutAside {
  try {
    lstatSync(pinned);
  } catch {
    return { kind: 'gone' };
  }
  const place = freshPlace(directory);
  if (place !== undefined && moveTo(pinned, join(place, name)) === 'moved')
    return { kind: 'moved', to: join(place, name) };
  if (place !== undefined) rmSync(place, { recursive: true, force: true });
  return { kind: 'renamed', suffix: renameInPlace(pinned) };
}

function freshPlace(directory: string): string | undefined {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (let number = readdirSync(directory).length + 1; ; number += 1) {
      const place = join(directory, String(number));
      if (makeDirectory(place) === 'made') return place;
    }
  } catch {
    return undefined;
  }
}

function makeDirectory(path: string): 'made' | 'taken' {
  try {
    mkdirSync(path, { mode: 0o700 });
    return 'made';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'taken';
    throw error;
  }
}

function moveTo(pinned: Buffer, to: string): 'moved' | 'stayed' {
  try {
    insist(pinned, () => renameSync(pinned, to));
    return 'moved';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EXDEV' ? copyTo(pinned, to) : 'stayed';
  }
}

/** A box can make its planted file, and the directory around it, read-only. Both belong to us as well. */
function insist(pinned: Buffer, work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    makeWritable(Buffer.concat([pinned.subarray(0, pinned.lastIndexOf('/')), Buffer.from('/.')]));
    if (lstatSync(pinned).isDirectory()) makeWritable(pinned);
    work();
  }
}

function makeWritable(path: Buffer): void {
  const directory = openPinned(path);
  const place = `/proc/self/fd/${directory}`;
  try {
    chmodSync(place, (statSync(place).mode & 0o7777) | 0o700);
  } finally {
    closeSync(directory);
  }
}

/** Copies to another file system. Removes the original once the copy is complete. */
function copyTo(pinned: Buffer, to: string): 'moved' | 'stayed' {
  try {
    copyWithin(pinned, Buffer.from(to), { ...largestCopy });
  } catch {
    return 'stayed';
  }
  insist(pinned, () => removeWithin(pinned));
  return 'moved';
}

function renameInPlace(pinned: Buffer): string {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? refusedSuffix : `${refusedSuffix}.${number}`;
    const to = Buffer.concat([pinned, Buffer.from(suffix)]);
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) continue;
    insist(pinned, () => renameSync(pinned, to));
    return suffix;
  }
}
