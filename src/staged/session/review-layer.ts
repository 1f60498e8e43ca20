import { HoldfastError } from '../../errors/index.ts';
import { currentChanges } from '../apply/bases.ts';
import { meantBy } from '../apply/select.ts';
import type { StagedChange, StagedLayer } from '../types.ts';
import { judgeOfLayer } from './protected-names.ts';

export interface ReviewOptions {
  /** Variables that locate the policy. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute paths on the host, with everything in them. Default: all changes. */
  readonly paths?: readonly Buffer[];
}

export interface Review {
  readonly layer: StagedLayer;
  readonly changes: readonly StagedChange[];
  readonly counts: ReviewCounts;
}

/** Number of changes of each kind, of conflicts, and of refusals. */
export type ReviewCounts = Readonly<Record<StagedChange['kind'] | 'conflicts' | 'refused', number>>;

/**
 * Returns the changes that a staged layer would make to the host as it is now. Throws `HF_USAGE` for a path without a
 * change below.
 */
export function reviewOfLayer(layer: StagedLayer, { environment, paths = [] }: ReviewOptions): Review {
  const all = currentChanges(layer, { judge: judgeOfLayer(layer, environment) });
  const unmatched = paths.find((path) => meantBy(all, [path]).length === 0);
  if (unmatched !== undefined)
    throw new HoldfastError('HF_USAGE', `the layer ${layer.id} has no changes in ${unmatched.toString()}`, {
      remedy: 'run `holdfast review` to see its changes',
      details: { path: unmatched.toString() },
    });
  const changes = paths.length === 0 ? all : meantBy(all, paths);
  return { layer, changes, counts: countsOf(changes) };
}

function countsOf(changes: readonly StagedChange[]): ReviewCounts {
  const of = (kind: StagedChange['kind']): number => changes.filter((change) => change.kind === kind).length;
  return {
    added: of('added'),
    modified: of('modified'),
    deleted: of('deleted'),
    renamed: of('renamed'),
    'type-changed': of('type-changed'),
    metadata: of('metadata'),
    conflicts: changes.filter(({ conflict }) => conflict !== undefined).length,
    refused: changes.filter(({ refusal }) => refusal !== undefined).length,
  };
}
