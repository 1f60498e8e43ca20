import { bodyOf, sendCall, refusalError, kubeRefusal } from '../../kube/index.ts';
import type { ClusterConnection } from './connection.ts';
import { findPod, logPath, ofItsClient } from './find-sandbox.ts';

export interface LogOptions {
  /** `follow`: until the command ends. Default: the current output. */
  readonly until?: 'now' | 'end';
  /** The container. Default: `command`. */
  readonly container?: 'command' | 'courier' | 'supervisor' | 'packet-rules';
}

/** Yields the output of a sandbox from its node: both streams, in order of arrival. */
export async function* readLogs(
  connection: ClusterConnection,
  name: string,
  { until = 'now', container = 'command' }: LogOptions = {},
): AsyncGenerator<Buffer> {
  const { pod, startedBy } = await findPod(connection, name);
  if (startedBy === 'exec' && container === 'command') throw ofItsClient(name);
  const { target } = connection;
  const call = {
    method: 'GET',
    path: logPath(connection, pod),
    doing: `read the logs of the pod ${JSON.stringify(pod)}`,
    query: [['container', container], ...(until === 'end' ? [['follow', 'true'] as const] : [])],
  } as const;
  const answer = await sendCall(call, target);
  if (answer.statusCode !== 200)
    throw refusalError(kubeRefusal(answer.statusCode ?? 0, await bodyOf(answer)), call, target);
  // A command may be silent for any time.
  answer.socket.setTimeout(0);
  yield* answer as AsyncIterable<Buffer>;
}
