import { turnSignal } from '../index.ts';
import type { ClusterConnection } from './connection.ts';
import { execIn, FirstWords, insistSuccess } from './pod-streams.ts';
import type { StartedBy } from './run-way.ts';

/**
 * Sends a signal to the first process of the command's container, which passes it on. The kernel shields a first
 * process from SIGKILL of its own container, so SIGKILL goes to all other processes. A command that came by `exec` gets
 * the signal by its number.
 */
export async function signalCommand(
  connection: ClusterConnection,
  { pod, startedBy }: { readonly pod: string; readonly startedBy: StartedBy },
  name: NodeJS.Signals,
): Promise<void> {
  const said = new FirstWords();
  const short = name.slice('SIG'.length);
  const argv =
    startedBy === 'exec' ? turnSignal(short) : ['/bin/sh', '-c', `kill -s ${short} ${name === 'SIGKILL' ? '-1' : '1'}`];
  const stream = await execIn(
    connection,
    { pod, container: 'command', argv, stdin: 'none', terminal: 'none' },
    (_, bytes) => said.add(bytes),
  );
  try {
    insistSuccess(await stream.ended, `sending ${name}`, said.text);
  } finally {
    stream.close();
  }
}
