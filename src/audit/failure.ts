import { dirname } from 'node:path';
import { HoldfastError } from '../errors/index.ts';

const unwritable = ['EACCES', 'EROFS', 'EPERM', 'ENOTDIR', 'EEXIST', 'ENOENT'];

/** A typed error for whatever kept the journal from being read or written. */
export function journalFailed(file: string, cause: unknown): HoldfastError {
  const { code = '', message } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : { message: String(cause) };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new HoldfastError('HF_DISK_FULL', `the journal ${file} cannot grow: the disk is full`, { remedy: 'free some space', cause });
  }
  if (unwritable.includes(code)) {
    return new HoldfastError('HF_STATE_UNWRITABLE', `the state directory ${dirname(file)} cannot be used (${code})`, {
      remedy: 'make it writable for you, or set XDG_STATE_HOME to a directory that is',
      cause,
    });
  }
  return new HoldfastError('HF_JOURNAL_FAILED', `the journal ${file} cannot be used: ${message}`, {
    remedy: 'run `holdfast audit verify` to see what is wrong with it; moved to another name it is kept, and a new one is begun',
    cause,
  });
}
