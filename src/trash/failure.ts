import { HoldfastError, isHoldfastError } from '../errors/index.ts';
import { pathText } from '../kernel/index.ts';

/** A typed error for something that the file system did not let happen. `what` says what stayed as it was. */
export function trashError(path: Buffer, what: string, cause: unknown): HoldfastError {
  if (isHoldfastError(cause)) return cause;
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
  const details = { path: pathText(path), errno: code };
  const message = `${JSON.stringify(pathText(path))} ${what} (${code})`;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new HoldfastError('HF_DISK_FULL', message, { remedy: 'make room, e.g. with `holdfast trash purge --older-than 1d`', cause, details });
  return new HoldfastError('HF_TRASH_FAILED', message, { remedy: remedies[code] ?? 'see the errno', cause, details });
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'check the owner and the mode of the directory it lies in',
  EPERM: 'check the owner and the flags of the directory it lies in',
  EBUSY: 'it is being written to, or something is mounted on it: try again when nothing uses it',
  EXDEV: 'unmount what is mounted in it',
  ELOOP: 'a directory on the way to it is a symlink now: name the real path',
  ENOENT: 'it is gone already',
  EEXIST: 'name another place with --to PATH',
  EROFS: 'the file system is read-only',
};
