import { type KubeObject, pathOf, watchUntil } from '../../kube/index.ts';
import { type ClusterRequest, renderCluster } from '../index.ts';
import { again } from './again.ts';
import { selectorOf } from './cluster-objects.ts';
import type { ClusterConnection } from './connection.ts';
import { commandExit, FollowedStreams } from './follow-command.ts';
import { attachTo } from './pod-streams.ts';
import { brokenError, podState } from './pod-state.ts';
import type { RunWay } from './run-way.ts';
import type { RunStart } from './types.ts';

/** A pod for this run alone, with a container that waits for its client's first line. */
export function ownWay(connection: ClusterConnection, live: ClusterRequest, start: RunStart): RunWay {
  const { name } = live;
  return {
    check: () => Promise.resolve(),
    manifests: renderCluster(live),
    startedBy: 'container',
    async pod() {
      const started = await podStarted(connection, { labels: selectorOf(name) }, start.wait ?? usualWait);
      return started.metadata.name;
    },
    async connect(pod) {
      const place = { pod, container: 'command', stdin: 'open', terminal: start.terminal ?? 'none' } as const;
      const attach = () => attachTo(connection, place, start.onOutput);
      const stream = await again(connection, attach);
      await stream.write(Buffer.from('\n'));
      const followed = new FollowedStreams(stream, { connection, name, attach, onNotice: start.onNotice });
      return {
        get current() {
          return followed.current;
        },
        until() {
          const exit = commandExit(connection, name, start);
          exit.catch(() => undefined);
          return followed.until(exit);
        },
        afterLoss: 'remove',
      };
    },
  };
}

export const usualWait = 300_000;

/** Waits until every container of a pod runs. */
export function podStarted(
  { target, namespace }: ClusterConnection,
  selected: { readonly labels: string } | { readonly name: string },
  atMost: number,
): Promise<KubeObject> {
  let why = 'there is no pod';
  return watchUntil(
    {
      path: pathOf({ kind: 'Pod', namespace }),
      selected,
      doing: 'list pods',
      atMost,
      awaited: () => `the start of the pod (${why.slice(0, 300)})`,
    },
    target,
    ([pod]) => {
      if (pod === undefined) return undefined;
      const state = podState(pod);
      switch (state.kind) {
        case 'starting':
          why = state.why;
          return undefined;
        case 'running':
          return pod;
        case 'ended':
          throw brokenError({
            why: `the command ended with ${state.end.exitCode} before it was started: ${state.end.reason}`,
            remedy: 'see whether the image has /bin/sh, `stty` and Holdfast',
          });
        case 'broken':
          throw brokenError(state);
      }
    },
  );
}
