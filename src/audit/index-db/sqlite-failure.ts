import { HoldfastError } from '../../errors/index.ts';

/** Why an index cannot be used, in words that follow "the index": another one is built instead. */
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

/** What another index puts right. */
const unusable: ReadonlyMap<number, string> = new Map([
  [codes.error, 'has tables that are not ours'],
  [codes.constraint, 'is damaged'],
  [codes.mismatch, 'is damaged'],
  [codes.busy, 'is held by another process'],
  [codes.locked, 'is held by another process'],
  [codes.corrupt, 'is damaged'],
  [codes.notadb, 'is no database'],
]);

interface SqliteError extends Error {
  readonly code: 'ERR_SQLITE_ERROR';
  /** Extended result code. */
  readonly errcode: number;
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && (error as { readonly code?: unknown }).code === 'ERR_SQLITE_ERROR';
}

/** A typed error for whatever kept the index from being used: `UnusableIndex` where another one is the answer. */
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

/** Node reads no integer that JavaScript cannot hold, and none of ours is one. */
function isOutOfRange(error: unknown): boolean {
  return error instanceof RangeError && (error as { readonly code?: unknown }).code === 'ERR_OUT_OF_RANGE';
}

function isErrno(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && typeof (error as NodeJS.ErrnoException).code === 'string';
}
