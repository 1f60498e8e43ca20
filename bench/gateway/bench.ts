import type { Sizes } from './sizes.ts';
import type { Way } from './ways.ts';

/** What every part needs. */
export interface GatewayBench {
  readonly ways: readonly Way[];
  readonly sizes: Sizes;
  readonly secrets: readonly string[];
  /** Code that prompts are made of. */
  readonly source: string;
}
