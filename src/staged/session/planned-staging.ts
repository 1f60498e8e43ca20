import { join } from 'node:path';
import type { LayerDirectory } from '../../plan/index.ts';
import { stagedRootsOf, stagePlan } from '../../plan/staged.ts';
import { layersDirectory, rootsOf } from '../store/layout.ts';
import type { Place } from '../../place/place.ts';
import { refuseMountsWithin } from './mounts-within.ts';
import type { Staging } from './staging.ts';

/**
 * Stages a plan that nobody runs: no layer is made, and `new` stands for its name. Throws what staging a command would.
 */
export function plannedStaging({ paths }: Pick<Place, 'paths'>): Pick<Staging, 'stage'> {
  return {
    stage: (plan) => {
      const roots = stagedRootsOf(plan);
      refuseMountsWithin(roots);
      const places = rootsOf(join(layersDirectory(paths.state), 'new'), roots);
      return stagePlan(
        plan,
        new Map(places.map(({ root, upper, work }) => [root, { upper: unmade(upper), work: unmade(work) }])),
      );
    },
  };
}

function unmade(path: string): LayerDirectory {
  return { path, identity: { device: '0', inode: '0', type: 'directory' } };
}
