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

/** Options for callers, and functions that turn them into operations with all defaults. */

export interface WriteOptions {
  /** As in `node:fs`. Default: `w`, which makes the file or empties it. */
  readonly flag?: WriteFlag;
  /** Permissions of a new file, before the umask. Default: 0o666. */
  readonly mode?: number;
  /** `make`: makes missing parent directories. Default: `make`. */
  readonly parents?: Parents;
  /**
   * `atomic`: readers see the old content or the new one, never a part, and a failed write keeps the old one. The name
   * gets a new file, so hard links keep the old content. Default: `in-place`.
   */
  readonly replace?: 'in-place' | 'atomic';
  /** Encoding of text. Default: `utf8`. */
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
  /** Permissions before the umask. Default: 0o777. */
  readonly mode?: number;
  /** `make`: as `mkdir -p`; an existing directory is fine. Default: `make`. */
  readonly parents?: Parents;
}

export function makeDirOperation(
  path: FilePath,
  { mode = 0o777, parents = 'make' }: MakeDirOptions,
): MakeDirectoryOperation {
  return { kind: 'makeDirectory', path, mode, parents };
}

export interface CopyOptions {
  /** `whole` copies a directory with all its content. `single` refuses one with EISDIR. Default: `whole`. */
  readonly tree?: 'whole' | 'single';
  /** The treatment of existing files. Default: `replace`. */
  readonly existing?: 'replace' | 'keep' | 'refuse';
  /** `mode` keeps only permissions. `all` adds times and extended attributes. Default: `mode`. */
  readonly preserve?: 'all' | 'mode';
  /** Whether to copy a symlink `itself`, or to `follow` it. Default: `itself`. */
  readonly symlink?: 'follow' | 'itself';
  /**
   * When aborted, the call rejects with ECANCELED, and copied files stay. Ignored in a batch, which has its own signal.
   */
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
  /** `exchange` swaps both names. Default: `replace`. */
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
  /** Nanoseconds since 1970, a `Date`, `now`, or `leave`. Default: `leave`. */
  readonly accessed?: FileTime | Date;
  /** As `accessed`. */
  readonly modified?: FileTime | Date;
  /** Default: `follow`. */
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
  /** Default: unchanged. */
  readonly uid?: number;
  /** Default: unchanged. */
  readonly gid?: number;
  /** Default: `follow`. */
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
   * `whole` removes a directory with all its content. `single` removes a file, a symlink or an empty directory.
   * Default: `single`.
   */
  readonly tree?: 'whole' | 'single';
  /** `ignore`: a missing path is fine. Default: `refuse`. */
  readonly missing?: 'refuse' | 'ignore';
  /**
   * When aborted, the call rejects with ECANCELED, and files removed until then stay removed. Ignored in a batch, which
   * has its own signal.
   */
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

/** Mode of opening a file for writing, in the letters of `node:fs`. */
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

/** Returns flags of `open(2)`, without the access mode. Throws `HF_USAGE` for unknown letters. */
function writeFlags(flag: WriteFlag): number {
  if (Object.hasOwn(flags, flag)) return flags[flag];
  throw new HoldfastError('HF_USAGE', `the flag ${JSON.stringify(flag)} does not write`, {
    remedy: `use one of: ${Object.keys(flags).join(' ')}`,
  });
}

export function appends(flag: WriteFlag): boolean {
  return (writeFlags(flag) & O_APPEND) !== 0;
}
