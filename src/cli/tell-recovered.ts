import { homedir } from 'node:os';
import { statePaths } from '../sandbox/host/state-paths.ts';
import { recoverAccepts } from '../staged/apply/index.ts';
import type { CommandInput } from './command.ts';
import { recoveredLine } from './recovered-line.ts';

/** Ends what a killed accept or undo left half done, and says so: what a layer holds may be other than the user remembers. */
export function tellRecovered({ io }: Pick<CommandInput, 'io'>): void {
  for (const each of recoverAccepts(statePaths(homedir(), io.environment).state)) io.stderr.write(recoveredLine(each));
}
