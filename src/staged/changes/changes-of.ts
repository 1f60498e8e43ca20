import type { Change, StagedLayer } from '../types.ts';
import type { Judge } from './judge.ts';

export interface ChangesOptions {
  /** Default: nothing is refused. */
  readonly judge?: Judge;
}

/**
 * Every difference between a layer and the host, in the order of paths of each root: a directory before what lies in it.
 * Each entry of an added or deleted directory is a change of its own. Where a directory became something else (`type-changed`),
 * what lay in it is `deleted` too: whoever applies takes deletions first, deepest first. A change of a root itself is none.
 * Throws `HoldfastError` (`HF_STAGED_INVALID`) for a layer without its upper directories.
 */
export function changesOf(layer: StagedLayer, options: ChangesOptions = {}): Change[] {
  throw new Error(`not yet: ${layer.id} ${String(options.judge)}`);
}
