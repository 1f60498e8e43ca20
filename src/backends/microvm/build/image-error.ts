import { HoldfastError } from '../../../errors/index.ts';

export function imageError(message: string, remedy: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_IMAGE_FAILED', message, cause === undefined ? { remedy } : { remedy, cause });
}

/** What to do about a disk that is full, and the error itself for anything else. */
export function diskError(error: unknown, directory: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT' ? diskFull(directory, error) : error;
}

export function diskFull(directory: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_DISK_FULL', `there is no space for an image of the guest in ${directory}`, { remedy: 'make about 200 MB free and run `holdfast microvm build` again', ...(cause === undefined ? {} : { cause }) });
}
