import type { ClusterExamination, ClusterFinding } from '../../cluster/session/examine-cluster.ts';
import type { SignTone } from '../../text/signs.ts';
import { type CommandInput, printResult } from '../command.ts';
import { type Look, lookOf, signed } from '../terminal/look.ts';
import { clusterOf, clusterWishes, type ClusterAction, connectionOptions, objectOptions } from './actions.ts';

export const doctorAction: ClusterAction = {
  options: [...connectionOptions, ...objectOptions, 'pool', 'json'],
  takes: { name: false, command: false },
  run: doctor,
};

/** Exits with 1 if something is missing. */
async function doctor(input: CommandInput): Promise<number> {
  const wishes = clusterWishes(input);
  const cluster = await clusterOf(input);
  const examination = await cluster.doctor(wishes);
  printResult(input, examination, describe(examination, lookOf(input.io)));
  return examination.findings.some(({ state }) => state === 'missing') ? 1 : 0;
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
