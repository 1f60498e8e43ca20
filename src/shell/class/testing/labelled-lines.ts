import { commandClasses, type CommandClass } from '../command-class.ts';
import { classOf } from '../class-of.ts';
import { analyse } from '../../analyse/analyse.ts';
import { anythingLines } from './lines/anything.ts';
import { anythingOfToolsLines } from './lines/anything-of-tools.ts';
import { changesLines } from './lines/changes.ts';
import { destroysLines } from './lines/destroys.ts';
import { leavesLines } from './lines/leaves.ts';
import { reachesLines } from './lines/reaches.ts';
import { readsMoreLines } from './lines/reads-more.ts';
import { readsOfToolsLines } from './lines/reads-of-tools.ts';
import { readsLines } from './lines/reads.ts';
import { writesLines } from './lines/writes.ts';

/** A person's label for each line. */
export const labelledLines: Readonly<Record<CommandClass, readonly string[]>> = {
  reads: [...readsLines, ...readsMoreLines, ...readsOfToolsLines],
  'writes the workspace': writesLines,
  'reaches out': reachesLines,
  'leaves the session behind': leavesLines,
  'changes the machine': changesLines,
  destroys: destroysLines,
  anything: [...anythingLines, ...anythingOfToolsLines],
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
