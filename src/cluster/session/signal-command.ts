import type { ClusterConnection } from './connection.ts';
import { execIn, FirstWords, insistSuccess } from './pod-streams.ts';

/**
 * Sends a signal to the first process of the command's container, which passes it on. The kernel shields a first process
 * from SIGKILL of its own container, so that one goes to all others.
 */
export async function signalCommand(connection: ClusterConnection, pod: string, name: NodeJS.Signals): Promise<void> {
  const said = new FirstWords();
  const argv = ['/bin/sh', '-c', `kill -s ${name.slice('SIG'.length)} ${name === 'SIGKILL' ? '-1' : '1'}`];
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
