import type { Scratch } from '../lib/scratch.ts';
import type { Sizes } from './sizes.ts';

/** Requirements of every part. */
export interface CredentialBench {
  readonly scratch: Scratch;
  readonly sizes: Sizes;
}
