import type { Sizes } from './sizes.ts';
import type { Way } from './ways.ts';

/** Requirements of every part. */
export interface GatewayBench {
  readonly ways: readonly Way[];
  readonly sizes: Sizes;
  readonly secrets: readonly string[];
  /** Source code for prompts. */
  readonly source: string;
}
