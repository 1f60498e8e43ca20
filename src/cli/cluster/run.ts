import { constants } from 'node:os';
import type { ClusterCommand, ClusterEnd, ClusterOutput } from '../../cluster/session/types.ts';
import { HoldfastError } from '../../errors/index.ts';
import { ownTerminal } from '../approvals/own-terminal.ts';
import { type CommandInput, type CommandIo, isSet, printResult, safeText } from '../command.ts';
import { ownSize } from '../serve/look-on.ts';
import {
  clusterOf,
  clusterWishes,
  type ClusterAction,
  connectionOptions,
  objectOptions,
  secondsOption,
} from './actions.ts';
import { interruptible, printTo, watchCommand } from './watch-command.ts';

export const runAction: ClusterAction = {
  options: [...connectionOptions, ...objectOptions, 'name', 'pool', 'wait', 'detach', 'json'],
  takes: { name: false, command: true },
  run: runInCluster,
};

export const execAction: ClusterAction = {
  options: [...connectionOptions],
  takes: { name: true, command: true },
  run: (input) => join(input, 'exec'),
};

export const attachAction: ClusterAction = {
  options: [...connectionOptions],
  takes: { name: true, command: false },
  run: (input) => join(input, 'attach'),
};

async function runInCluster(input: CommandInput): Promise<number> {
  const { values, io, rest = [] } = input;
  const detached = isSet(values['detach']);
  if (isSet(values['json']) && !detached)
    throw new HoldfastError('HF_USAGE', '--json needs --detach: without it, only COMMAND prints', {
      remedy: 'leave it out, or add --detach',
    });
  const own = detached ? undefined : ownSize();
  const [wishes, wait] = [clusterWishes(input), secondsOption('wait', values['wait'])];
  const started = await interruptible(async (signal) => {
    const cluster = await clusterOf(input, signal);
    return cluster.run({
      argv: rest,
      ...wishes,
      ...(wait === undefined ? {} : { wait }),
      terminal: own === undefined ? 'none' : 'own',
      mode: detached ? 'detached' : 'foreground',
      questions: ownTerminal(input) === 'ours' ? 'told' : 'unheard',
      ...saying(io),
    });
  });
  if (started.kind === 'interrupted') {
    io.stderr.write('holdfast: interrupted; nothing is left in the cluster\n');
    return 128 + constants.signals[started.signal];
  }
  if (detached) {
    await started.value.ended;
    const { name, namespace } = started.value;
    printResult(input, { name, namespace }, `${name}\n`);
    return 0;
  }
  return report(
    await watchCommand(started.value, { terminal: own, role: 'owner', abort: started.abort }),
    started.value,
    io,
  );
}

async function join(input: CommandInput, what: 'exec' | 'attach'): Promise<number> {
  const { positionals, rest = [], io } = input;
  const [name = ''] = positionals;
  const own = ownSize();
  // The command prints before it is joined, and a person may interrupt it then.
  const joined = await interruptible(async (signal) => {
    const cluster = await clusterOf(input, signal);
    return what === 'attach'
      ? cluster.attach(name, saying(io))
      : cluster.exec(name, rest, { ...saying(io), terminal: own === undefined ? 'none' : 'own' });
  });
  if (joined.kind === 'interrupted') return 128 + constants.signals[joined.signal];
  const command = joined.value;
  const terminal = 'terminal' in command && command.terminal === 'none' ? undefined : own;
  const role = what === 'attach' ? 'visitor' : 'owner';
  if (joined.signal !== undefined && role === 'visitor') command.leave();
  else if (joined.signal !== undefined) command.signal(joined.signal);
  return report(await watchCommand(command, { terminal, role }), command, io);
}

function saying(io: CommandIo): { readonly onOutput: ClusterOutput; readonly onNotice: (line: string) => void } {
  return { onOutput: printTo(), onNotice: (line) => void io.stderr.write(`${safeText(`holdfast: ${line}`)}\n`) };
}

function report(end: ClusterEnd, { name, namespace }: ClusterCommand, io: CommandIo): number {
  if (end.kind === 'left') {
    io.stderr.write(`holdfast: ${name} goes on: holdfast cluster attach ${name} --namespace ${namespace}\n`);
    return 0;
  }
  if (end.reason === 'OOMKilled')
    io.stderr.write('holdfast: the command was killed: its container ran out of memory\n');
  const { changes } = end;
  if (changes !== undefined) io.stderr.write(`${changesText(changes)}\n`);
  return end.exitCode;
}

/** Names the layer that holds a command's changes, and counts entries that did not come back. */
export function changesText({
  layer,
  changed,
  leftOut,
}: NonNullable<(ClusterEnd & { kind: 'ended' })['changes']>): string {
  const stayed =
    leftOut.length === 0
      ? []
      : [`holdfast: ${leftOut.length} entries did not come back: no layer can hold them, or they stayed here`];
  const home =
    layer === undefined
      ? 'holdfast: nothing was changed'
      : `holdfast: ${changed} ${changed === 1 ? 'path' : 'paths'} changed, none on the host yet: holdfast review ${layer}`;
  return [...stayed, home].join('\n');
}
