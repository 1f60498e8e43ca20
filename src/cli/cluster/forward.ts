import { type CommandInput, printResult, safeText } from '../command.ts';
import { clusterOf, type ClusterAction, connectionOptions } from './actions.ts';
import { interruptible } from './watch-command.ts';

export const forwardAction: ClusterAction = {
  options: [...connectionOptions, 'json'],
  takes: { name: true, command: false, more: 'ports' },
  run: forward,
};

/** Runs until the pod ends, or until a signal. */
async function forward(input: CommandInput): Promise<number> {
  const { positionals, io } = input;
  const [name = '', ...ports] = positionals;
  const onNotice = (line: string): void => void io.stderr.write(`${safeText(`holdfast: ${line}`)}\n`);
  const shown = await interruptible(async (signal) => {
    const cluster = await clusterOf(input, signal);
    const open = await cluster.forward(name, { ports, onNotice });
    const lines = open.ports.map(({ host, box }) => `127.0.0.1:${host} shows port ${box} of ${name}\n`);
    printResult(input, { name, namespace: cluster.namespace, ports: open.ports }, lines.join(''));
    return open.ended;
  });
  if (shown.kind === 'done' && shown.value === 'pod-ended') onNotice(`${name} has ended, and its ports with it`);
  return 0;
}
