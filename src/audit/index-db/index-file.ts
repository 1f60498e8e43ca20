import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { join, parse } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { HoldfastError } from '../../errors/index.ts';
import { createTables, hasWords, schemaState } from './schema.ts';

/** Identifies a file, even if another file gets its name later. */
export type DeviceInode = Pick<Stats, 'dev' | 'ino'>;

/** Returns `STATE/journal.db` for `STATE/journal.jsonl`. */
export function indexPath(journal: string): string {
  const { dir, name } = parse(journal);
  return join(dir, `${name}.db`);
}

/**
 * Creates the index if it is missing, and checks that it is a file of this user that nobody else can read. Throws
 * `HF_INDEX_FAILED` otherwise: a link would redirect our writes.
 */
function claimFile(file: string): DeviceInode {
  const fd = openOwned(file);
  try {
    const found = fstatSync(fd);
    if (!found.isFile()) throw notOurs(file, 'it is not a regular file');
    if (found.uid !== process.getuid?.()) throw notOurs(file, 'it belongs to another user');
    if (found.nlink !== 1) throw notOurs(file, 'it has another hard link');
    if ((found.mode & 0o777) !== ownerOnly) fchmodSync(fd, ownerOnly);
    if (found.size > 0) checkLength(fd, found.size);
    return found;
  } finally {
    closeSync(fd);
  }
}

export function isSameFile(file: string, { dev, ino }: DeviceInode): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.dev === dev && found.ino === ino;
}

/**
 * Moves the index aside, with SQLite's unfinished files, which would corrupt the next index. It stays there until the
 * next one is moved aside. Returns its new name.
 */
export function moveAside(file: string): string {
  const aside = `${file}.old`;
  for (const suffix of ['', '-journal', '-wal', '-shm']) {
    rmSync(`${aside}${suffix}`, { force: true });
    if (lstatSync(`${file}${suffix}`, { throwIfNoEntry: false }) !== undefined)
      renameSync(`${file}${suffix}`, `${aside}${suffix}`);
  }
  return aside;
}

const ownerOnly = 0o600;
const headerSize = 100;

function openOwned(file: string): number {
  try {
    return openSync(
      file,
      constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK,
      ownerOnly,
    );
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ELOOP') throw notOurs(file, 'it is a symbolic link', cause);
    if (code === 'EISDIR' || code === 'ENXIO') throw notOurs(file, 'it is not a regular file', cause);
    throw cause;
  }
}

/**
 * SQLite notices a truncated file only when it needs a missing part. See
 * https://sqlite.org/fileformat2.html#the_database_header
 */
function checkLength(fd: number, size: number): void {
  const header = Buffer.alloc(headerSize);
  if (readSync(fd, header, 0, headerSize, 0) < headerSize) throw new UnusableIndex('was cut short');
  if (!header.subarray(0, 16).equals(Buffer.from('SQLite format 3\0'))) throw new UnusableIndex('is not a database');
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92);
  if (isCounted && header.readUInt32BE(28) * pageSize > size) throw new UnusableIndex('was cut short');
}

function notOurs(file: string, why: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_INDEX_FAILED', `the index ${file} is not used: ${why}`, {
    remedy: 'find out who put it there, and remove it: an index is built from the journal alone',
    cause,
  });
}

export interface OpenIndex {
  readonly database: DatabaseSync;
  readonly file: string;
  readonly identity: DeviceInode;
  /** Node can be built with a SQLite that has no FTS5. */
  readonly fullText: 'fts5' | 'none';
}

/** Milliseconds that another process may lock the index before a new one is built. */
const defaultPatience = 10_000;

/**
 * Opens the index, or creates an empty one. Throws `UnusableIndex` for a damaged index or one of another version, and
 * the errors of `claimFile`.
 */
export function openIndex(file: string, patience: number = defaultPatience): OpenIndex {
  const identity = claimFile(file);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: patience, allowExtension: false });
    // A prepared malicious database must run nothing: https://sqlite.org/security.html
    database.exec(
      'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536',
    );
    const state = schemaState(database);
    if (state === 'foreign') throw new UnusableIndex('is of another version of Holdfast, or of another program');
    if (state === 'empty') createTables(database);
    return { database, file, identity, fullText: hasWords(database) ? 'fts5' : 'none' };
  } catch (cause) {
    database?.close();
    throw indexFailed(cause);
  }
}

/** Why an index cannot be used, in words that follow "the index". Another one is built instead. */
export class UnusableIndex extends Error {
  override readonly name = 'UnusableIndex';
}

/** Primary result codes: https://sqlite.org/rescode.html */
const codes = {
  error: 1,
  busy: 5,
  locked: 6,
  constraint: 19,
  corrupt: 11,
  full: 13,
  mismatch: 20,
  notadb: 26,
} as const;

/** Codes of failures that a new index fixes. */
const unusable: ReadonlyMap<number, string> = new Map([
  [codes.error, 'has tables that are not ours'],
  [codes.constraint, 'is damaged'],
  [codes.mismatch, 'is damaged'],
  [codes.busy, 'is held by another process'],
  [codes.locked, 'is held by another process'],
  [codes.corrupt, 'is damaged'],
  [codes.notadb, 'is not a database'],
]);

interface SqliteError extends Error {
  readonly code: 'ERR_SQLITE_ERROR';
  /** Extended result code. */
  readonly errcode: number;
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && (error as { readonly code?: unknown }).code === 'ERR_SQLITE_ERROR';
}

/** Returns a typed error for a failure to use the index: `UnusableIndex` if a new index would fix it. */
export function indexFailed(error: unknown): unknown {
  if (isOutOfRange(error)) return new UnusableIndex('is damaged', { cause: error });
  if (!isSqliteError(error)) return isErrno(error) ? failed(error, error.code) : error;
  const primary = error.errcode & 0xff;
  const why = unusable.get(primary);
  return why === undefined
    ? failed(error, primary === codes.full ? 'ENOSPC' : undefined)
    : new UnusableIndex(why, { cause: error });
}

function failed(cause: Error, code: string | undefined): HoldfastError {
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new HoldfastError('HF_DISK_FULL', 'the index of the journal cannot grow: the disk is full', {
      remedy: 'free some space; `holdfast audit show` needs no index',
      cause,
    });
  return new HoldfastError('HF_INDEX_FAILED', `the index of the journal cannot be used: ${cause.message}`, {
    remedy: 'make the state directory writable for you; `holdfast audit show` needs no index',
    cause,
  });
}

/** Node reads no integer beyond JavaScript's range, and none of our values is that large. */
function isOutOfRange(error: unknown): boolean {
  return error instanceof RangeError && (error as { readonly code?: unknown }).code === 'ERR_OUT_OF_RANGE';
}

function isErrno(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && typeof (error as NodeJS.ErrnoException).code === 'string';
}
