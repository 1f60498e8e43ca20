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
import { HoldfastError } from '../../errors/index.ts';
import { UnusableIndex } from './sqlite-failure.ts';

/** Tells one file from another that has its name later. */
export type FileIdentity = Pick<Stats, 'dev' | 'ino'>;

/** `STATE/journal.db` for `STATE/journal.jsonl`. */
export function indexPath(journal: string): string {
  const { dir, name } = parse(journal);
  return join(dir, `${name}.db`);
}

/**
 * Makes sure that the index is a file of this user that nobody else can read, and creates it where there is none.
 * Throws
 * `HF_INDEX_FAILED` for anything else: a link would have us write elsewhere.
 */
export function claimFile(file: string): FileIdentity {
  const fd = openOwned(file);
  try {
    const found = fstatSync(fd);
    if (!found.isFile()) throw notOurs(file, 'it is no regular file');
    if (found.uid !== process.getuid?.()) throw notOurs(file, 'it belongs to another user');
    if (found.nlink !== 1) throw notOurs(file, 'it has another name elsewhere');
    if ((found.mode & 0o777) !== ownerOnly) fchmodSync(fd, ownerOnly);
    if (found.size > 0) checkLength(fd, found.size);
    return found;
  } finally {
    closeSync(fd);
  }
}

export function isSameFile(file: string, { dev, ino }: FileIdentity): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.dev === dev && found.ino === ino;
}

/**
 * Moves the index aside, with what SQLite had not finished of it: the next one must not take that for its own. It stays
 * until the next is moved aside. Returns its new name.
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
    if (code === 'EISDIR' || code === 'ENXIO') throw notOurs(file, 'it is no regular file', cause);
    throw cause;
  }
}

/**
 * SQLite notices a file that was cut short only when it needs what is missing. See
 * https://sqlite.org/fileformat2.html#the_database_header
 */
function checkLength(fd: number, size: number): void {
  const header = Buffer.alloc(headerSize);
  if (readSync(fd, header, 0, headerSize, 0) < headerSize) throw new UnusableIndex('was cut short');
  if (!header.subarray(0, 16).equals(Buffer.from('SQLite format 3\0'))) throw new UnusableIndex('is no database');
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
