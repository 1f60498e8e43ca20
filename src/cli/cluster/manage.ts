import process from 'node:process';
import type { ClusterSandbox } from '../../cluster/session/list-sandboxes.ts';
import type { SignTone } from '../../text/signs.ts';
import { type CommandInput, isSet, printResult, safeText } from '../command.ts';
import { lookOf } from '../terminal/look.ts';
import { type TableColumn, terminalTable } from '../terminal/terminal-table.ts';
import { clusterOf, type ClusterAction, connectionOptions, secondsOption } from './actions.ts';
import { changesText } from './run.ts';
import { printTo } from './watch-command.ts';

export const listAction: ClusterAction = {
  options: [...connectionOptions, 'json'],
  takes: { name: false, command: false },
  run: list,
};

async function list(input: CommandInput): Promise<number> {
  const cluster = await clusterOf(input);
  const sandboxes = await cluster.list();
  const none = `No sandboxes in the namespace ${cluster.namespace}. Start one: holdfast cluster run -- COMMAND\n`;
  printResult(
    input,
    { namespace: cluster.namespace, sandboxes },
    sandboxes.length === 0 ? none : terminalTable(sandboxes, columns, { ...lookOf(input.io), heads: 'always' }),
  );
  return 0;
}

const columns: readonly TableColumn<ClusterSandbox>[] = [
  { head: 'NAME', of: ({ name }) => name },
  { head: 'KIND', of: ({ kind }) => kind },
  { head: 'STATE', of: stateOf, tone: toneOf },
  { head: 'CREATED', of: ({ created }) => new Date(created).toISOString().replace('.000Z', 'Z') },
  { head: 'WORKSPACE', of: ({ origin }) => (origin === 'here' ? 'of this machine' : '-') },
];

function stateOf({ state, exitCode }: ClusterSandbox): string {
  if (state === 'ended') return `ended ${exitCode ?? ''}`.trimEnd();
  return state === 'no-pod' ? 'no pod' : state;
}

function toneOf({ state, exitCode }: ClusterSandbox): SignTone {
  if (state === 'running') return 'live';
  if (state === 'starting') return 'waiting';
  return state === 'ended' && exitCode === 0 ? 'plain' : 'warning';
}

export const stopAction: ClusterAction = {
  options: [...connectionOptions, 'discard', 'grace', 'json'],
  takes: { name: true, command: false },
  run: stop,
};

async function stop(input: CommandInput): Promise<number> {
  const { values, positionals } = input;
  const grace = secondsOption('grace', values['grace']);
  const cluster = await clusterOf(input);
  const stopped = await cluster.stop(positionals[0] ?? '', {
    changes: isSet(values['discard']) ? 'discard' : 'collect',
    ...(grace === undefined ? {} : { grace }),
  });
  const { changes, collector, journal } = stopped;
  if (journal !== undefined && 'failed' in journal)
    input.io.stderr.write(
      safeText(`holdfast: the journal of the pod’s supervisor did not come home: ${journal.failed}\n`),
    );
  const told = collector === undefined ? '' : 'holdfast: the process that runs it has collected its changes\n';
  printResult(input, stopped, changes === undefined ? told : `${changesText(changes)}\n`);
  return 0;
}

export const logsAction: ClusterAction = {
  options: [...connectionOptions, 'follow'],
  takes: { name: true, command: false },
  run: logs,
};

async function logs(input: CommandInput): Promise<number> {
  const cluster = await clusterOf(input);
  const print = printTo();
  const leave = (): never => process.exit(0);
  process.on('SIGINT', leave);
  try {
    const until = isSet(input.values['follow']) ? 'end' : 'now';
    for await (const bytes of cluster.logs(input.positionals[0] ?? '', { until })) await print('stdout', bytes);
    return 0;
  } finally {
    process.off('SIGINT', leave);
  }
}
