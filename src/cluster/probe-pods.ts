import { commandUser } from './hold-in-cluster.ts';
import { annotationsOfRun, runLabels } from './render.ts';
import type { ClusterRequest, KubernetesObject } from './types.ts';

/** The port of a probe pod. */
export const probePort = 18_090;

export interface ProbePods {
  /** Two pods under no `NetworkPolicy` of Holdfast: the control. */
  readonly listener: KubernetesObject;
  readonly control: KubernetesObject;
  /** Selected by the `NetworkPolicy` of the run. */
  readonly behind: KubernetesObject;
}

/**
 * Pods that show whether a cluster enforces the `NetworkPolicy` of a run. None of them has packet rules, so nothing
 * else stops a packet. Each listens, and sends `nonce` to a client.
 */
export function probePods(request: ClusterRequest, nonce: string): ProbePods {
  const pod = (role: keyof ProbePods, selected: string): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${request.name}-${role}`,
      namespace: request.namespace,
      labels: runLabels({ name: selected }),
      annotations: annotationsOfRun(request),
    },
    spec: podSpec(request, nonce),
  });
  const open = `${request.name}-open`;
  return {
    listener: pod('listener', open),
    control: pod('control', open),
    behind: pod('behind', request.name),
  };
}

/** Seconds. A pod ends by itself if its client was killed. */
const longest = 900;

function podSpec({ image, runtimeClass }: ClusterRequest, nonce: string): object {
  return {
    ...(runtimeClass === undefined ? {} : { runtimeClassName: runtimeClass }),
    restartPolicy: 'Never',
    activeDeadlineSeconds: longest,
    terminationGracePeriodSeconds: 1,
    hostUsers: false,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: commandUser, runAsGroup: commandUser },
    containers: [
      {
        name: 'command',
        image,
        command: ['holdfast', 'cluster', 'probe', 'listen', nonce],
        workingDir: '/',
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          capabilities: { drop: ['ALL'] },
          seccompProfile: { type: 'RuntimeDefault' },
        },
        resources: { limits: { memory: '256Mi', cpu: '500m' } },
      },
    ],
  };
}
