import { homedir } from 'node:os';
import { statePaths } from '../sandbox/host/state-paths.ts';
import { recoverAccepts, type Recovered } from '../staged/apply/index.ts';
import type { CommandInput } from './command.ts';
import { safeText } from './safe-text.ts';

/** Ends what a killed accept or undo left half done, and says so: what a layer holds may be other than the user remembers. */
export function tellRecovered({ io }: Pick<CommandInput, 'io'>): void {
  for (const each of recoverAccepts(statePaths(homedir(), io.environment).state)) io.stderr.write(`${safeText(`holdfast: ${lineOf(each)}`)}\n`);
}

function lineOf({ layer, outcome, conflicts, kept }: Recovered): string {
  const what = { 'rolled-back': 'an accept was interrupted: all of it is staged again', completed: 'an accept was interrupted when all was done: it is accepted', undone: 'an undo was interrupted: it is done now' }[outcome];
  const rest = conflicts.length === 0 ? '' : `; left as they are, because somebody changed them: ${conflicts.map((path) => JSON.stringify(path)).join(' ')}; what they had is in ${kept}`;
  return `layer ${layer}: ${what}${rest}`;
}
