import type { KubeKind, KubeObject } from '../../kube/index.ts';
import { poolLabel } from '../index.ts';
import { findObjects, nameLabel, ownLabel, runAnnotation } from './cluster-objects.ts';
import type { ClusterConnection } from './connection.ts';
import { rememberedRun } from './journey/remember-sent.ts';
import { podState } from './pod-state.ts';
import { claimedSandbox } from './pools/find-claimed.ts';

/** A sandbox of Holdfast in a namespace, of any user. */
export interface ClusterSandbox {
  readonly name: string;
  readonly namespace: string;
  /** `SandboxClaim`, `Sandbox`, `Pod`, or a remaining part without them. */
  readonly kind: KubeKind;
  readonly state: 'starting' | 'running' | 'ended' | 'broken' | 'no-pod';
  /** Only for an ended command. */
  readonly exitCode?: number;
  /** Milliseconds since 1970, by the cluster's clock. */
  readonly created: number;
  /** `here`: this machine sent its workspace, and can collect its changes. */
  readonly origin: 'here' | 'elsewhere';
}

/** A name is listed with the first of these kinds that it has. */
const byWeight: readonly KubeKind[] = ['SandboxClaim', 'Sandbox', 'Pod', 'NetworkPolicy', 'ConfigMap'];

/** Lists the sandboxes of a namespace by name, with the leftovers of killed clients. */
export async function listSandboxes(connection: ClusterConnection): Promise<readonly ClusterSandbox[]> {
  const { target, namespace, state } = connection;
  const found = await Promise.all(
    byWeight.map(async (kind) => ({
      kind,
      objects: await findObjects({ kind, namespace, selector: ownLabel }, target),
    })),
  );
  const pods = new Map(
    (found.find(({ kind }) => kind === 'Pod')?.objects ?? []).map((pod) => [nameOf(pod), podState(pod)]),
  );
  const listed = new Map<string, ClusterSandbox>();
  for (const { kind, objects } of found)
    for (const object of objects) {
      const name = nameOf(object);
      if (listed.has(name) || isOfPool(object)) continue;
      const pod = pods.get(claimedSandbox(object) ?? name);
      const run = object.metadata.annotations?.[runAnnotation] ?? '';
      listed.set(name, {
        name,
        namespace,
        kind,
        state: pod?.kind ?? 'no-pod',
        ...(pod?.kind === 'ended' ? { exitCode: pod.end.exitCode } : {}),
        created: Date.parse(object.metadata.creationTimestamp ?? '') || 0,
        origin: rememberedRun(state, run) === undefined ? 'elsewhere' : 'here',
      });
    }
  return [...listed.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** `pool list` has the shared objects of a pool's runs, and its waiting pods. */
function isOfPool({ metadata: { labels = {} } }: KubeObject): boolean {
  return labels[poolLabel] !== undefined && labels[nameLabel] === undefined;
}

function nameOf({ metadata: { labels, name } }: KubeObject): string {
  return labels?.[nameLabel] ?? name;
}
