import { HoldfastError } from '../../errors/index.ts';
import { stagedRootsOf, stagePlan } from '../../plan/staged.ts';
import type { Backend } from '../../backends/index.ts';
import type { Place } from '../place.ts';
import { LayerStaging } from './layer-staging.ts';
import { refuseMountsWithin } from './mounts-within.ts';
import { requireRoom } from './room.ts';
import type { StagedChoice, Staging } from './staging.ts';
import type { StagedGround } from './take-layer.ts';

export interface StageOptions extends StagedGround {
  readonly choice: StagedChoice;
  readonly backend: Backend;
}

/**
 * Takes a layer for a session: a new one, or the one that is named. Throws `HF_GUARANTEE_MISSING` where the backend cannot
 * stage, `HF_STAGED_INVALID`, `HF_STAGED_BUSY`, `HF_DISK_FULL` and `HF_STATE_UNWRITABLE`.
 */
export async function stageSession({ choice, place, backend, plan, boxes }: StageOptions): Promise<Staging> {
  requireStaging(backend, place);
  // Before anything is made: a plan that cannot be staged leaves no layer.
  stagePlan(plan, new Map(stagedRootsOf(plan).map((root) => [root, nowhere])));
  refuseMountsWithin(stagedRootsOf(plan));
  requireRoom(place.paths.state);
  const recovered = choice === 'new' ? [] : (await import('./recover-first.ts')).recoverFirst(place.paths.state);
  return LayerStaging.open({ place, plan, boxes }, { choice, recovered });
}

const nowhere = { upper: { path: '/', identity: { device: '0', inode: '0', type: 'directory' } }, work: { path: '/', identity: { device: '0', inode: '0', type: 'directory' } } } as const;

function requireStaging(backend: Backend, { uid, cgroups }: Place): void {
  if (backend.guarantees({ uid, cgroups })['fs.stage'] === 'kernel') return;
  throw new HoldfastError('HF_GUARANTEE_MISSING', `the ${backend.name} backend cannot keep writes aside (guarantee: fs.stage)`, { remedy: 'run with --backend native, or without --staged', details: { missing: ['fs.stage'] } });
}
