import { constants } from 'node:fs';
import { HoldfastError } from '../errors/index.ts';
import type {
  FilePath,
  FileTime,
  Parents,
  CopyOperation,
  LinkOperation,
  MakeDirectoryOperation,
  ModeOperation,
  OwnerOperation,
  RemoveOperation,
  RenameOperation,
  StatOperation,
  SymlinkOperation,
  TimesOperation,
  TruncateOperation,
  WriteOperation,
} from './types.ts';

/** What callers write, and the operations it stands for, with every default. Each is a function of its arguments. */

export interface WriteOptions {
  /** As in `node:fs`. Default `w`: make it, or empty what is there. */
  readonly flag?: WriteFlag;
  /** Permissions of a new file, before the umask. Default 0o666. */
  readonly mode?: number;
  /** Default `make`: missing directories above are made. */
  readonly parents?: Parents;
  /**
   * `atomic`: readers see the old content or the new one, never a part, and a failed write keeps the old one. The name
   * gets a new file, so hard links keep the old content. Default: `in-place`.
   */
  readonly replace?: 'in-place' | 'atomic';
  /** Of text. Default `utf8`. */
  readonly encoding?: BufferEncoding;
}

export type WriteTarget = Omit<WriteOperation, 'kind' | 'data'>;

export function writeTarget(
  path: FilePath,
  { flag = 'w', mode = 0o666, parents = 'make', replace = 'in-place' }: WriteOptions,
): WriteTarget {
  return { path, flags: writeFlags(flag), mode, parents, replace };
}

export function writeOperation(path: FilePath, data: string | Uint8Array, options: WriteOptions): WriteOperation {
  return {
    kind: 'write',
    data: typeof data === 'string' ? Buffer.from(data, options.encoding) : data,
    ...writeTarget(path, options),
  };
}

export interface MakeDirOptions {
  /** Before the umask. Default 0o777. */
  readonly mode?: number;
  /** Default `make`: as `mkdir -p`, and a directory that is there is fine. */
  readonly parents?: Parents;
}

export function makeDirOperation(
  path: FilePath,
  { mode = 0o777, parents = 'make' }: MakeDirOptions,
): MakeDirectoryOperation {
  return { kind: 'makeDirectory', path, mode, parents };
}

export interface CopyOptions {
  /** `whole` copies a directory with all that is in it; `single` refuses one with EISDIR. Default `whole`. */
  readonly tree?: 'whole' | 'single';
  /** What to do with files that are there. Default `replace`. */
  readonly existing?: 'replace' | 'keep' | 'refuse';
  /** Default `mode`: permissions only. `all` adds times and extended attributes. */
  readonly preserve?: 'all' | 'mode';
  /** Whether a symlink is copied `itself`, or what it leads to. Default `itself`. */
  readonly symlink?: 'follow' | 'itself';
  /** Aborted, it rejects with ECANCELED, and what was copied stays. Not heard in a batch, which has its own. */
  readonly signal?: AbortSignal;
}

export function copyOperation(
  from: FilePath,
  to: FilePath,
  { tree = 'whole', existing = 'replace', preserve = 'mode', symlink = 'itself' }: CopyOptions,
): CopyOperation {
  return { kind: 'copy', from, to, tree, existing, preserve, symlink };
}

export interface RenameOptions {
  /** `exchange` swaps both names. Default `replace`. */
  readonly existing?: 'replace' | 'refuse' | 'exchange';
}

export function renameOperation(
  from: FilePath,
  to: FilePath,
  { existing = 'replace' }: RenameOptions,
): RenameOperation {
  return { kind: 'rename', from, to, existing };
}

export function linkOperation(from: FilePath, to: FilePath): LinkOperation {
  return { kind: 'link', from, to };
}

export function symlinkOperation(text: FilePath, path: FilePath): SymlinkOperation {
  return { kind: 'symlink', text, path };
}

export function truncateOperation(path: FilePath, length: number): TruncateOperation {
  return { kind: 'truncate', path, length };
}

export interface TimesOptions {
  /** Nanoseconds since 1970, a `Date`, `now`, or `leave`. Default `leave`. */
  readonly accessed?: FileTime | Date;
  /** Likewise. */
  readonly modified?: FileTime | Date;
  /** Default `follow`. */
  readonly symlink?: 'follow' | 'itself';
}

const nanosecondsPerMillisecond = 1_000_000n;

export function timesOperation(
  path: FilePath,
  { accessed = 'leave', modified = 'leave', symlink = 'follow' }: TimesOptions,
): TimesOperation {
  return { kind: 'times', path, accessed: timeOf(accessed), modified: timeOf(modified), symlink };
}

function timeOf(time: FileTime | Date): FileTime {
  return time instanceof Date ? BigInt(time.getTime()) * nanosecondsPerMillisecond : time;
}

export interface OwnerOptions {
  /** Default: left as it is. */
  readonly uid?: number;
  /** Default: left as it is. */
  readonly gid?: number;
  /** Default `follow`. */
  readonly symlink?: 'follow' | 'itself';
}

export function ownerOperation(
  path: FilePath,
  { uid = -1, gid = -1, symlink = 'follow' }: OwnerOptions,
): OwnerOperation {
  return { kind: 'owner', path, uid, gid, symlink };
}

export function modeOperation(path: FilePath, mode: number): ModeOperation {
  return { kind: 'mode', path, mode };
}

export interface RemoveOptions {
  /**
   * `whole` removes a directory with all that is in it; `single` a file, a symlink or an empty directory. Default
   * `single`.
   */
  readonly tree?: 'whole' | 'single';
  /** `ignore`: what is not there is fine. Default `refuse`. */
  readonly missing?: 'refuse' | 'ignore';
  /** Aborted, it rejects with ECANCELED, and what was removed is gone. Not heard in a batch, which has its own. */
  readonly signal?: AbortSignal;
}

export function removeOperation(
  path: FilePath,
  { tree = 'single', missing = 'refuse' }: RemoveOptions,
): RemoveOperation {
  return { kind: 'remove', path, tree, missing };
}

export function statOperation(path: FilePath, symlink: StatOperation['symlink']): StatOperation {
  return { kind: 'stat', path, symlink };
}

/** How a file is opened for writing, in the letters of `node:fs`. */
export type WriteFlag = 'w' | 'wx' | 'a' | 'ax' | 'r+' | 'ws' | 'as';

const { O_APPEND, O_CREAT, O_EXCL, O_SYNC, O_TRUNC } = constants;

const flags: Readonly<Record<WriteFlag, number>> = {
  w: O_CREAT | O_TRUNC,
  wx: O_CREAT | O_TRUNC | O_EXCL,
  a: O_CREAT | O_APPEND,
  ax: O_CREAT | O_APPEND | O_EXCL,
  'r+': 0,
  ws: O_CREAT | O_TRUNC | O_SYNC,
  as: O_CREAT | O_APPEND | O_SYNC,
};

/** As in `open(2)`, without access mode. Throws `HF_USAGE` for letters that mean nothing. */
function writeFlags(flag: WriteFlag): number {
  if (Object.hasOwn(flags, flag)) return flags[flag];
  throw new HoldfastError('HF_USAGE', `the flag ${JSON.stringify(flag)} is none for writing`, {
    remedy: `use one of: ${Object.keys(flags).join(' ')}`,
  });
}

export function appends(flag: WriteFlag): boolean {
  return (writeFlags(flag) & O_APPEND) !== 0;
}
