import { HoldfastError } from '../../errors/index.ts';

export function busy(directory: string): HoldfastError {
  return new HoldfastError('HF_IMAGE_FAILED', `another process is writing to ${directory}`, { remedy: 'wait for it, and try again' });
}
