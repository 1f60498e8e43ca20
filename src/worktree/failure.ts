import { HoldfastError, isHoldfastError } from '../errors/index.ts';

/** For what is not touched because it is not what it should be. */
export function refused(message: string, remedy: string): HoldfastError {
  return new HoldfastError('HF_WORKTREE_REFUSED', message, { remedy });
}

/** For what the system or git did not do. */
export function failed(message: string, cause?: unknown): HoldfastError {
  if (isHoldfastError(cause)) return cause;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return new HoldfastError('HF_WORKTREE_FAILED', code === undefined ? message : `${message} (${code})`, {
    remedy: 'see the message, then run it again; `holdfast worktree list` shows what is there',
    ...(cause === undefined ? {} : { cause }),
  });
}
