import { constants } from 'node:os';
import type { ClusterExamination, ClusterFinding } from '../../cluster/session/findings.ts';
import type { SignTone } from '../../text/signs.ts';
import { type CommandInput, isSet, printResult } from '../command.ts';
import { type Look, lookOf, signed } from '../terminal/look.ts';
import {
  clusterOf,
  clusterWishes,
  type ClusterAction,
  connectionOptions,
  objectOptions,
  secondsOption,
} from './actions.ts';
import { interruptible } from './watch-command.ts';

export const doctorAction: ClusterAction = {
  options: [...connectionOptions, ...objectOptions, 'pool', 'prove', 'wait', 'json'],
  takes: { name: false, command: false },
  run: doctor,
};

/** Exits with 1 if something is missing, or an attempt succeeded. */
async function doctor(input: CommandInput): Promise<number> {
  const { values } = input;
  const [wishes, wait] = [clusterWishes(input), secondsOption('wait', values['wait'])];
  const examined = await interruptible(async (signal) => {
    const cluster = await clusterOf(input, signal);
    const proof = isSet(values['prove']) ? 'tried' : 'asked';
    return cluster.doctor({ ...wishes, proof, ...(wait === undefined ? {} : { wait }) });
  });
  if (examined.kind === 'interrupted') return 128 + constants.signals[examined.signal];
  const { value } = examined;
  printResult(input, value, describe(value, lookOf(input.io)));
  return value.findings.some(({ state }) => state === 'missing') ? 1 : 0;
}

const tones: Readonly<Record<ClusterFinding['state'], SignTone>> = {
  held: 'allowed',
  missing: 'refused',
  unknown: 'waiting',
};

function describe({ server, context, namespace, findings }: ClusterExamination, look: Look): string {
  const lines = findings.map(({ subject, state, told, remedy }) => {
    const text = `${signed(state, tones[state], look)} ${subject}: ${told}`;
    return remedy === undefined ? text : `${text}\n    to fix it: ${remedy}`;
  });
  return [`${server}, context ${context}, namespace ${namespace}`, ...lines, ''].join('\n');
}
