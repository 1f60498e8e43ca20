import { existsSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';
// Not imported through the index, because hooks would load the whole plan room.
import { sessionFile } from '../../plan/fixed-paths.ts';

/** Whether this process runs in a box, where it has no journal and no policy file. */
export function isInsideBox(): boolean {
  return existsSync(sessionFile);
}

/** Throws in a box, even if the box has the whole installation: it has no state, journal or approvals. */
export function refuseInsideBox(): void {
  if (isInsideBox())
    throw new HoldfastError('HF_USAGE', 'this command does not work inside a box', {
      remedy: 'use `holdfast why` here, and run other commands outside the box',
    });
}
