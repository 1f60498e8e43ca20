import { dirname } from 'node:path';
import { HoldfastError, isHoldfastError } from '../errors/index.ts';

const unwritable = ['EACCES', 'EROFS', 'EPERM', 'ENOTDIR', 'EEXIST', 'ENOENT'];

/** Returns a typed error for a failure to read or write the journal. */
export function journalFailed(file: string, cause: unknown): HoldfastError {
  if (isHoldfastError(cause)) return cause;
  const { code = '', message } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : { message: String(cause) };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new HoldfastError('HF_DISK_FULL', `the journal ${file} cannot grow: the disk is full`, {
      remedy: 'free some space',
      cause,
    });
  }
  if (unwritable.includes(code)) {
    return new HoldfastError('HF_STATE_UNWRITABLE', `the state directory ${dirname(file)} cannot be used (${code})`, {
      remedy: 'make it writable for you, or set XDG_STATE_HOME to a directory that is',
      cause,
    });
  }
  return new HoldfastError('HF_JOURNAL_FAILED', `the journal ${file} cannot be used: ${message}`, {
    remedy: repairRemedy,
    cause,
  });
}

const repairRemedy =
  'run `holdfast audit verify` to see the damage; `holdfast audit repair` renames the journal and starts a new one';

/** Returns the error for an invalid file of the journal. Nothing was written or removed. */
export function unusable(file: string, problem: string, remedy: string = repairRemedy): HoldfastError {
  return new HoldfastError('HF_JOURNAL_FAILED', `the journal ${file} cannot be used: ${problem}`, {
    remedy,
    details: { problem },
  });
}
