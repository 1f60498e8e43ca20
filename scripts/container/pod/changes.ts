import type { KubernetesObject } from '../../../src/cluster/types.ts';

export interface PodContainer {
  readonly name: string;
  readonly command: readonly string[];
  readonly restartPolicy?: 'Always';
  readonly startupProbe?: { readonly exec: { readonly command: readonly string[] } };
  readonly env?: readonly PodVariable[];
  readonly volumeMounts?: readonly PodMount[];
}

type PodVariable =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly valueFrom: object };

interface PodMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly readOnly?: boolean;
}

export interface PodVolume {
  readonly name: string;
  readonly emptyDir?: { readonly sizeLimit?: string };
  readonly configMap?: { readonly name: string };
  readonly hostPath?: { readonly path: string; readonly type: 'Directory' | 'File' };
}

export interface PodSpec {
  readonly initContainers?: readonly PodContainer[];
  readonly containers: readonly PodContainer[];
  readonly volumes: readonly PodVolume[];
  readonly securityContext: { readonly fsGroup: number };
}

export interface Pod extends KubernetesObject {
  readonly metadata: KubernetesObject['metadata'] & { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: PodSpec;
}

/** One field of a rendered pod that podman 4.3.1 treats as no cluster does. */
export interface PodChange {
  readonly field: string;
  /** The behaviour of podman without the change. */
  readonly podman: string;
  readonly change: string;
  /** The control that a played pod lacks, compared with the rendered one. */
  readonly weakens: 'nothing' | string;
  /** `directory` has the volumes of the pod. Default: the player of the pod makes the change. */
  readonly apply?: (pod: Pod, directory: string) => Pod;
}

/** All differences between the rendered pod and the played pod. */
export const podChanges: readonly PodChange[] = [
  {
    field: '`restartPolicy: Always` and `startupProbe` of the supervisor',
    podman:
      'refuses: "cannot create an init container that has either of lifecycle, livenessProbe, readinessProbe, or startupProbe set"',
    change: 'the supervisor is the first container; the player starts it, waits for its probe, then starts the command',
    weakens: 'nothing',
    apply: (pod) => {
      const { initContainers = [], containers } = pod.spec;
      const isSidecar = ({ restartPolicy }: PodContainer): boolean => restartPolicy === 'Always';
      const sidecars = initContainers
        .filter(isSidecar)
        .map(({ restartPolicy: _policy, startupProbe: _probe, ...rest }) => rest);
      const first = initContainers.filter((container) => !isSidecar(container));
      return { ...pod, spec: { ...pod.spec, initContainers: first, containers: [...sidecars, ...containers] } };
    },
  },
  {
    field: '`$$` in words and values',
    podman: 'passes both dollar signs on: "Unexpected argument \'1@\'"',
    change: 'one dollar sign',
    weakens: 'nothing',
    apply: (pod) =>
      eachContainer(pod, (container) => ({
        ...container,
        command: container.command.map(plain),
        ...(container.env === undefined
          ? {}
          : {
              env: container.env.map((variable) =>
                'value' in variable ? { ...variable, value: plain(variable.value) } : variable,
              ),
            }),
      })),
  },
  {
    field: '`emptyDir`',
    podman:
      "makes a volume that all pods share and that outlives them, without its size and without `fsGroup`; the image's files are copied into it",
    change: 'a `hostPath` to a new tmpfs of that size, with the mode 2777 and the group that a kubelet gives',
    weakens: 'nothing',
    apply: (pod, directory) =>
      eachVolume(pod, (volume) =>
        volume.emptyDir === undefined
          ? volume
          : { name: volume.name, hostPath: { path: `${directory}/${volume.name}`, type: 'Directory' } },
      ),
  },
  {
    field: '`subPath` of a `ConfigMap`',
    podman: 'ignores it and mounts a directory: "policy.toml cannot be used: it is not a regular file"',
    change: 'a read-only `hostPath` to a file of the same text',
    weakens: 'nothing',
    apply: policyFiles,
  },
  {
    field: '`Secret`',
    podman: 'cannot read one that it plays: "secret agent-keys is not valid JSON"',
    change: '`podman secret create` with the same data',
    weakens: 'nothing',
  },
  {
    field: '`seccompProfile: {type: Localhost}`',
    podman: 'ignores it, and takes its own default filter',
    change: 'the older annotation of the container, with the published profile',
    weakens: 'nothing',
    apply: (pod) => {
      const name = 'container.seccomp.security.alpha.kubernetes.io/command';
      const annotations = { ...pod.metadata.annotations, [name]: 'localhost/seccomp-container.json' };
      return { ...pod, metadata: { ...pod.metadata, annotations } };
    },
  },
  {
    field: '`procMount: Unmasked`',
    podman: 'ignores it, so that no box can mount a procfs: "create file system proc: EPERM"',
    change: 'a hook of the engine removes the masks from the container of user 1000, and from no other',
    weakens: 'nothing',
  },
  {
    field: '`NetworkPolicy`',
    podman: 'ignores it without a message',
    change: 'none: the object is left out',
    weakens: 'no `NetworkPolicy` is in force',
  },
  {
    field: '`appArmorProfile`, `ephemeral-storage`, `enableServiceLinks`',
    podman: 'ignores them without a message',
    change: 'none',
    weakens: 'no sum over the storage; AppArmor was not on the machine',
  },
  {
    field: '`automountServiceAccountToken: false`',
    podman: 'has no tokens',
    change: 'none',
    weakens: 'a missing token shows nothing about a cluster',
  },
  {
    field: '`resolv.conf`, which a kubelet makes',
    podman: "makes none in a network of the pod's own",
    change: 'a read-only `hostPath` to a file that names a resolver of the test',
    weakens: 'nothing',
    apply: resolverFile,
  },
  {
    field: '`hostUsers: false`',
    podman: 'takes a range of the user `containers` in `/etc/subuid`, and fails without one',
    change: 'none: the player gives it a range',
    weakens: 'nothing',
  },
];

/** The pod for `kube play`. */
export function podForPodman(pod: Pod, directory: string): Pod {
  return podChanges.reduce((changed, { apply }) => apply?.(changed, directory) ?? changed, pod);
}

function plain(text: string): string {
  return text.replaceAll('$$', '$');
}

function eachContainer(pod: Pod, change: (container: PodContainer) => PodContainer): Pod {
  const { initContainers = [], containers } = pod.spec;
  return {
    ...pod,
    spec: { ...pod.spec, initContainers: initContainers.map(change), containers: containers.map(change) },
  };
}

function eachVolume(pod: Pod, change: (volume: PodVolume) => PodVolume): Pod {
  return { ...pod, spec: { ...pod.spec, volumes: pod.spec.volumes.map(change) } };
}

function resolverFile(pod: Pod, directory: string): Pod {
  const volume = { name: 'resolver', hostPath: { path: `${directory}/resolv.conf`, type: 'File' } } as const;
  const mount = { name: 'resolver', mountPath: '/etc/resolv.conf', readOnly: true };
  const changed = eachContainer(pod, (container) => ({
    ...container,
    volumeMounts: [...(container.volumeMounts ?? []), mount],
  }));
  return { ...changed, spec: { ...changed.spec, volumes: [...changed.spec.volumes, volume] } };
}

/** A volume for each file, since `subPath` chooses no file. */
function policyFiles(pod: Pod, directory: string): Pod {
  const maps = pod.spec.volumes.filter(({ configMap }) => configMap !== undefined).map(({ name }) => name);
  const nameOf = ({ name, subPath = '' }: PodMount): string => `${name}-${subPath.replace('.toml', '')}`;
  const isFile = (mount: PodMount): boolean => maps.includes(mount.name);
  const mounts = pod.spec.containers.flatMap(({ volumeMounts = [] }) => volumeMounts.filter(isFile));
  const files = new Map(mounts.map((mount) => [nameOf(mount), `${directory}/${mount.subPath ?? ''}`]));
  const volumes = [...files].map(([name, path]): PodVolume => ({ name, hostPath: { path, type: 'File' } }));
  const changed = eachContainer(pod, (container) => ({
    ...container,
    volumeMounts: (container.volumeMounts ?? []).map((mount) =>
      isFile(mount) ? { name: nameOf(mount), mountPath: mount.mountPath, readOnly: true } : mount,
    ),
  }));
  const kept = pod.spec.volumes.filter(({ name }) => !maps.includes(name));
  return { ...changed, spec: { ...changed.spec, volumes: [...kept, ...volumes] } };
}
