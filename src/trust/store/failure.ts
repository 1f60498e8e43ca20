import { HoldfastError } from '../../errors/index.ts';

/** What was found cannot be relied upon, and is left as it is. */
export function invalidFile(path: string, why: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_TRUST_INVALID', `${path} ${why}, so nothing of it is believed`, {
    remedy: `look at it, move it away, and approve again with \`holdfast trust add\``,
    details: { path },
    ...(cause === undefined ? {} : { cause }),
  });
}

export function newerVersion(path: string): HoldfastError {
  return new HoldfastError('HF_TRUST_INVALID', `${path} was written by a newer version of Holdfast`, {
    remedy: 'use that version, or move the file away and approve again with `holdfast trust add`',
    details: { path },
  });
}

export function unwritable(path: string, cause: unknown): HoldfastError {
  const { code, path: at = path } = cause as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new HoldfastError('HF_DISK_FULL', `${at} cannot be written: the disk is full`, {
      remedy: 'free some space; nothing was approved',
      cause,
    });
  return new HoldfastError('HF_STATE_UNWRITABLE', `${at} cannot be written: ${code ?? 'an unknown error'}`, {
    remedy: 'make it and its directory writable for you alone',
    cause,
  });
}
