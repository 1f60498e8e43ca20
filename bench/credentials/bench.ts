import type { Scratch } from '../lib/scratch.ts';
import type { Sizes } from './sizes.ts';

/** What every part needs. */
export interface CredentialBench {
  readonly scratch: Scratch;
  readonly sizes: Sizes;
}
