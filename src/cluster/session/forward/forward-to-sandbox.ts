import { pathOf, watchUntil } from '../../../kube/index.ts';
import type { ClusterConnection } from '../connection.ts';
import { findPod, type FoundPod, notRunning } from '../find-sandbox.ts';
import { podState } from '../pod-state.ts';
import { listenForPod } from './listen-for-pod.ts';
import { type ForwardedPort, portsWanted, shownIn } from './shown-port.ts';

export interface ForwardOptions {
  /** `8080`, or `3000:8080` for port 8080 of the box as 3000. Default: all ports that the run forwards. */
  readonly ports?: readonly string[];
  /** Gets lines for a person about failed connections. */
  readonly onNotice: (line: string) => void;
}

/** Ports of a sandbox on this machine's loopback. */
export interface ClusterForward {
  readonly ports: readonly Pick<ForwardedPort, 'host' | 'box'>[];
  /** Resolves when the pod has ended, or after `close`. Rejects when the API server cannot be asked any more. */
  readonly ended: Promise<'pod-ended' | 'closed'>;
  close(): void;
}

/**
 * Forwards ports of a running sandbox. Throws `HF_USAGE` for ports that its run does not forward, and for taken ones.
 */
export async function forwardToSandbox(
  connection: ClusterConnection,
  name: string,
  { ports = [], onNotice }: ForwardOptions,
): Promise<ClusterForward> {
  const found = await findPod(connection, name);
  if (found.state.kind !== 'running') throw notRunning(name, found.state.kind);
  const wanted = portsWanted(ports, shownIn(found.shown));
  const listeners = await listenForPod(connection, wanted, onNotice);
  listeners.lead(found.pod);
  const closing = new AbortController();
  const signal = AbortSignal.any([connection.target.signal, closing.signal]);
  const ended = podOver({ ...connection, target: { ...connection.target, signal } }, found)
    .catch((error: unknown) => {
      if (signal.aborted) return 'closed' as const;
      throw error;
    })
    .finally(() => listeners.close());
  ended.catch(() => undefined);
  return { ports: wanted.map(({ host, box }) => ({ host, box })), ended, close: () => closing.abort() };
}

function podOver({ target, namespace }: ClusterConnection, { pod }: FoundPod): Promise<'pod-ended'> {
  const watched = {
    path: pathOf({ kind: 'Pod', namespace }),
    selected: { name: pod },
    doing: 'list pods',
    awaited: () => 'the end of the pod',
  };
  return watchUntil(watched, target, ([object]) =>
    object === undefined || podState(object).kind !== 'running' ? 'pod-ended' : undefined,
  );
}
