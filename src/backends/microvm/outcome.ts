import { constants } from 'node:os';
import type { LaunchFailure, LaunchOutcome } from '../backend.ts';

/** Signals by which `holdfast-guest host` ends where no command has had its say; `native/src/guest/host.h` has the same numbers. */
const endings: Readonly<Record<number, (command: string) => LaunchFailure>> = {
  64: () => ({ stage: 'run the virtual machine', path: '', errno: 0 }),
  63: (command) => ({ stage: 'exec', path: command, errno: constants.errno.ENOENT }),
  62: (command) => ({ stage: 'exec', path: command, errno: constants.errno.EACCES }),
};

/** What ended for want of a virtual machine, or of the command in it, is a failure and no exit of the command. */
export function outcomeOf(outcome: LaunchOutcome, command: string): LaunchOutcome {
  const failure = endings[outcome.signal]?.(command);
  return failure === undefined || outcome.failure !== undefined ? outcome : { ...outcome, exitCode: 125, signal: 0, failure };
}
