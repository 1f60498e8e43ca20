import { existsSync } from 'node:fs';
// Not through the index: hooks would carry the whole of the plan room along.
import { sessionFile } from '../../plan/session-file.ts';

/** Whether this process runs in a box, where there is no journal and no policy file. */
export function isInsideBox(): boolean {
  return existsSync(sessionFile);
}
