import { HoldfastError, isHoldfastError } from '../errors/index.ts';
import { pathText } from '../kernel/index.ts';

/**
 * A typed error for what a file system did not let happen. `what` begins the sentence, e.g. `"src/a cannot be read"`.
 */
export function checkpointError(what: string, cause: unknown): HoldfastError {
  if (isHoldfastError(cause)) return cause;
  const { code } = cause as NodeJS.ErrnoException;
  if (cause instanceof RangeError)
    return new HoldfastError('HF_CHECKPOINT_FAILED', `${what}: the tree is too deep`, {
      remedy: 'remove its deepest directories',
      cause,
    });
  // What is no failure of the file system is one of ours, and its own message says more.
  if (code === undefined) throw cause;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new HoldfastError('HF_DISK_FULL', `${what}: the disk is full`, {
      remedy: 'make room, then run it again; nothing is lost',
      cause,
    });
  return new HoldfastError('HF_CHECKPOINT_FAILED', `${what} (${code})`, {
    remedy: remedies[code] ?? 'see the errno, then run it again; nothing is lost',
    cause,
    details: { errno: code },
  });
}

/** Runs `work`, and says which path of the workspace it was about when it fails. */
export function about<T>(path: string, what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw checkpointError(`${quoted(path)} ${what}`, error);
  }
}

/** A path of an entry for a message. */
function quoted(path: string): string {
  return path === '' ? 'the workspace' : JSON.stringify(pathText(Buffer.from(path, 'latin1')));
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'make it readable for yourself, or move it out of the workspace',
  EPERM: 'it belongs to somebody else or is immutable: change that, or move it out of the workspace',
  EROFS: 'the file system is read-only',
  EMFILE: 'the tree is deeper than descriptors are allowed: raise `ulimit -n`',
  ENAMETOOLONG: 'a path in it is longer than 4,095 bytes: shorten it',
};
