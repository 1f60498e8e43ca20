import { existsSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';
// Not through the index: hooks would carry the whole of the plan room along.
import { sessionFile } from '../../plan/session-file.ts';

/** Whether this process runs in a box, where there is no journal and no policy file. */
export function isInsideBox(): boolean {
  return existsSync(sessionFile);
}

/** Throws in a box, also in one that has the whole installation: state, journal and approvals are not there. */
export function refuseInsideBox(): void {
  if (isInsideBox())
    throw new HoldfastError('HF_USAGE', 'this command does not work inside a box', {
      remedy: 'use `holdfast why` here, and run other commands outside the box',
    });
}
