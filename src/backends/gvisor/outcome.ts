import { constants } from 'node:os';
import type { LaunchFailure, LaunchOutcome } from '../backend.ts';

/** `runsc run` ends so when it could not start the command, and says why on stderr. */
const notStarted = 128;

/** What ended before the command began is a failure and no exit of the command, as far as the last of stderr tells. */
export function outcomeOf(outcome: LaunchOutcome, command: string): LaunchOutcome {
  if (outcome.exitCode !== notStarted || outcome.failure !== undefined) return outcome;
  const said = outcome.stderrTail.toString('utf8').trimEnd().split('\n').at(-1) ?? '';
  const failure = said.startsWith('running container: ') ? failureOf(said, command) : undefined;
  return failure === undefined ? outcome : { ...outcome, exitCode: 125, failure };
}

function failureOf(said: string, command: string): LaunchFailure {
  if (said.endsWith('no such file or directory')) return { stage: 'exec', path: command, errno: constants.errno.ENOENT };
  if (said.endsWith('permission denied')) return { stage: 'exec', path: command, errno: constants.errno.EACCES };
  return { stage: 'start gVisor', path: '', errno: 0 };
}
