import { commandClasses, type CommandClass } from '../command-class.ts';
import { classOf } from '../class-of.ts';
import { analyse } from '../../analyse/analyse.ts';
import { agentsAnythingFiltersLines } from './lines/agents-anything-filters.ts';
import { agentsAnythingGitLines } from './lines/agents-anything-git.ts';
import { agentsAnythingShellLines } from './lines/agents-anything-shell.ts';
import { agentsAnythingToolsLines } from './lines/agents-anything-tools.ts';
import { agentsAnythingVariablesLines } from './lines/agents-anything-variables.ts';
import { agentsChangesLines } from './lines/agents-changes.ts';
import { agentsDestroysLines } from './lines/agents-destroys.ts';
import { agentsLeavesLines } from './lines/agents-leaves.ts';
import { agentsReachesLines } from './lines/agents-reaches.ts';
import { agentsReadsFilesLines } from './lines/agents-reads-files.ts';
import { agentsReadsFilesMoreLines } from './lines/agents-reads-files-more.ts';
import { agentsReadsGitLines } from './lines/agents-reads-git.ts';
import { agentsReadsMachineLines } from './lines/agents-reads-machine.ts';
import { agentsReadsSearchLines } from './lines/agents-reads-search.ts';
import { agentsReadsShellLines } from './lines/agents-reads-shell.ts';
import { agentsReadsToolsLines } from './lines/agents-reads-tools.ts';
import { agentsWritesLines } from './lines/agents-writes.ts';
import { anythingLines } from './lines/anything.ts';
import { anythingOfToolsLines } from './lines/anything-of-tools.ts';
import { changesLines } from './lines/changes.ts';
import { destroysLines } from './lines/destroys.ts';
import { everydayLines } from './lines/everyday.ts';
import { leavesLines } from './lines/leaves.ts';
import { reachesLines } from './lines/reaches.ts';
import { plainLines } from './lines/plain.ts';
import { parsedLines } from './lines/parsed.ts';
import { rareLines } from './lines/rare.ts';
import { readsMoreLines } from './lines/reads-more.ts';
import { readsOfToolsLines } from './lines/reads-of-tools.ts';
import { readsLines } from './lines/reads.ts';
import { writesLines } from './lines/writes.ts';

/** A person's label for each line. */
export const labelledLines: Readonly<Record<CommandClass, readonly string[]>> = {
  reads: [
    ...readsLines,
    ...readsMoreLines,
    ...readsOfToolsLines,
    ...agentsReadsFilesLines,
    ...agentsReadsFilesMoreLines,
    ...agentsReadsGitLines,
    ...agentsReadsMachineLines,
    ...agentsReadsSearchLines,
    ...agentsReadsShellLines,
    ...agentsReadsToolsLines,
    ...everydayLines.reads,
    ...plainLines.reads,
    ...parsedLines.reads,
    ...rareLines.reads,
  ],
  'writes the workspace': [
    ...writesLines,
    ...agentsWritesLines,
    ...everydayLines['writes the workspace'],
    ...plainLines['writes the workspace'],
    ...parsedLines['writes the workspace'],
    ...rareLines['writes the workspace'],
  ],
  'reaches out': [
    ...reachesLines,
    ...agentsReachesLines,
    ...everydayLines['reaches out'],
    ...plainLines['reaches out'],
    ...parsedLines['reaches out'],
    ...rareLines['reaches out'],
  ],
  'leaves the session behind': [
    ...leavesLines,
    ...agentsLeavesLines,
    ...everydayLines['leaves the session behind'],
    ...plainLines['leaves the session behind'],
    ...parsedLines['leaves the session behind'],
    ...rareLines['leaves the session behind'],
  ],
  'changes the machine': [
    ...changesLines,
    ...agentsChangesLines,
    ...everydayLines['changes the machine'],
    ...plainLines['changes the machine'],
    ...parsedLines['changes the machine'],
    ...rareLines['changes the machine'],
  ],
  destroys: [
    ...destroysLines,
    ...agentsDestroysLines,
    ...everydayLines.destroys,
    ...plainLines.destroys,
    ...parsedLines.destroys,
    ...rareLines.destroys,
  ],
  anything: [
    ...anythingLines,
    ...anythingOfToolsLines,
    ...agentsAnythingFiltersLines,
    ...agentsAnythingGitLines,
    ...agentsAnythingShellLines,
    ...agentsAnythingToolsLines,
    ...agentsAnythingVariablesLines,
    ...everydayLines.anything,
    ...plainLines.anything,
    ...parsedLines.anything,
    ...rareLines.anything,
  ],
};

const place = { cwd: '/srv/project', workspace: '/srv/project', home: '/home/dev' } as const;

/** The class that the analysis finds. */
export function foundClass(text: string): CommandClass {
  return classOf(analyse({ kind: 'script', text, shell: 'bash' }, place), place).kind;
}

/** For each label, the number of lines in each class. */
export function confusion(): readonly (readonly [label: CommandClass, counts: readonly number[]])[] {
  return commandClasses.map((label) => {
    const found = labelledLines[label].map(foundClass);
    return [label, commandClasses.map((name) => found.filter((each) => each === name).length)];
  });
}
