import type { CommandClass } from '../../command-class.ts';
import { plainAnythingLines } from './plain-anything.ts';
import { plainAnythingMoreLines } from './plain-anything-more.ts';
import { plainChangesLines } from './plain-changes.ts';
import { plainDestroysLines } from './plain-destroys.ts';
import { plainLeavesLines } from './plain-leaves.ts';
import { plainReachesLines } from './plain-reaches.ts';
import { plainReadsAgainLines } from './plain-reads-again.ts';
import { plainReadsLines } from './plain-reads.ts';
import { plainReadsMoreLines } from './plain-reads-more.ts';
import { plainReadsRestLines } from './plain-reads-rest.ts';
import { plainWritesLines } from './plain-writes.ts';

/** Lines of a sixth author. */
export const plainLines: Readonly<Record<CommandClass, readonly string[]>> = {
  reads: [...plainReadsLines, ...plainReadsMoreLines, ...plainReadsAgainLines, ...plainReadsRestLines],
  'writes the workspace': plainWritesLines,
  'reaches out': plainReachesLines,
  'leaves the session behind': plainLeavesLines,
  'changes the machine': plainChangesLines,
  destroys: plainDestroysLines,
  anything: [...plainAnythingLines, ...plainAnythingMoreLines],
};
