import type { CommandClass } from '../../command-class.ts';
import { everydayAnythingGitLines } from './everyday-anything-git.ts';
import { everydayAnythingLanguagesLines } from './everyday-anything-languages.ts';
import { everydayAnythingOthersLines } from './everyday-anything-others.ts';
import { everydayAnythingOthersMoreLines } from './everyday-anything-others-more.ts';
import { everydayAnythingShellLines } from './everyday-anything-shell.ts';
import { everydayAnythingSystemsLines } from './everyday-anything-systems.ts';
import { everydayChangesLines } from './everyday-changes.ts';
import { everydayDestroysLines } from './everyday-destroys.ts';
import { everydayLeavesLines } from './everyday-leaves.ts';
import { everydayReachesLines } from './everyday-reaches.ts';
import { everydayReachesMoreLines } from './everyday-reaches-more.ts';
import { everydayReadsAgentsLines } from './everyday-reads-agents.ts';
import { everydayReadsFilesLines } from './everyday-reads-files.ts';
import { everydayReadsGitLines } from './everyday-reads-git.ts';
import { everydayReadsMachineLines } from './everyday-reads-machine.ts';
import { everydayReadsRareLines } from './everyday-reads-rare.ts';
import { everydayReadsRareMoreLines } from './everyday-reads-rare-more.ts';
import { everydayReadsSearchLines } from './everyday-reads-search.ts';
import { everydayReadsShellLines } from './everyday-reads-shell.ts';
import { everydayReadsToolsLines } from './everyday-reads-tools.ts';
import { everydayReadsVersionsLines } from './everyday-reads-versions.ts';
import { everydayWritesLines } from './everyday-writes.ts';
import { everydayWritesMoreLines } from './everyday-writes-more.ts';

/** Lines of an author who had not seen the others. */
export const everydayLines: Readonly<Record<CommandClass, readonly string[]>> = {
  reads: [
    ...everydayReadsAgentsLines,
    ...everydayReadsFilesLines,
    ...everydayReadsGitLines,
    ...everydayReadsMachineLines,
    ...everydayReadsRareLines,
    ...everydayReadsRareMoreLines,
    ...everydayReadsSearchLines,
    ...everydayReadsShellLines,
    ...everydayReadsToolsLines,
    ...everydayReadsVersionsLines,
  ],
  'writes the workspace': [...everydayWritesLines, ...everydayWritesMoreLines],
  'reaches out': [...everydayReachesLines, ...everydayReachesMoreLines],
  'leaves the session behind': [...everydayLeavesLines],
  'changes the machine': [...everydayChangesLines],
  destroys: [...everydayDestroysLines],
  anything: [
    ...everydayAnythingGitLines,
    ...everydayAnythingLanguagesLines,
    ...everydayAnythingOthersLines,
    ...everydayAnythingOthersMoreLines,
    ...everydayAnythingShellLines,
    ...everydayAnythingSystemsLines,
  ],
};
