import type { ContainerEngine, Surroundings } from './signs.ts';

/** The step at which a box failed, as the launcher or the supervisor reported it. */
export interface FailedStep {
  readonly stage: string;
  readonly path: string;
  /** Name of the errno. */
  readonly errno: string;
}

/** Why a box cannot be built in a container. */
export type ContainerObstacle = 'seccomp' | 'apparmor' | 'namespaces' | 'masked-proc' | 'root';

/** The smallest change of the container that removes one obstacle. */
export interface ContainerChange {
  readonly obstacle: ContainerObstacle;
  readonly change: string;
}

/** Calls that only a filter refuses in this way. The caller's rights do not matter to them. */
const filtered: ReadonlySet<string> = new Set(['keep descriptors back', 'pidfd_getfd']);
/** Steps that need a namespace, or mount calls in a namespace of the box's own. */
const mounting: ReadonlySet<string> = new Set([
  'create namespaces',
  'make mounts private',
  'pivot_root',
  "detach the host's root",
  'create file system',
  'mount scaffold',
  'bind device',
  'create network namespace',
]);

/** Returns the obstacles behind a failed step. Empty if the container is not the cause. */
export function obstaclesOf({ stage, path, errno }: FailedStep, at: Surroundings): readonly ContainerObstacle[] {
  if (stage === 'idmapped mount') return ['root'];
  if (filtered.has(stage)) return at.filter === 'present' ? ['seccomp'] : [];
  if (!mounting.has(stage)) return [];
  if (stage === 'create file system' && path === 'proc') return ['masked-proc'];
  if (errno === 'ENOSPC') return ['namespaces'];
  const first: ContainerObstacle =
    at.apparmor !== '' && stage !== 'create namespaces'
      ? 'apparmor'
      : at.filter === 'present'
        ? 'seccomp'
        : 'namespaces';
  // The next obstacle is already visible.
  return at.masked.length > 0 ? [first, 'masked-proc'] : [first];
}

const profile = 'seccomp-container.json';
const options = {
  seccomp: `add --security-opt seccomp=${profile} (docs/${profile} of the package)`,
  apparmor: 'add --security-opt apparmor=unconfined',
  root: 'add --user 1000, or run holdfast as an ordinary user of the container',
  namespaces: 'set the sysctl user.max_user_namespaces above 0 on the machine around the container',
} as const;

const ofDocker: Readonly<Record<ContainerObstacle, string>> = {
  ...options,
  'masked-proc': 'add --security-opt systempaths=unconfined to `docker run`',
};
const unnamed: Readonly<Record<ContainerObstacle, string>> = {
  ...options,
  seccomp: `load the seccomp profile docs/${profile} of the package into the container`,
  'masked-proc': 'have the engine mount nothing over /proc',
  root: 'run holdfast as an ordinary user of the container',
};

/** The change in the syntax of each engine. */
const changes: Readonly<Record<Exclude<ContainerEngine, 'none'>, Readonly<Record<ContainerObstacle, string>>>> = {
  podman: { ...options, 'masked-proc': 'add --security-opt unmask=ALL to `podman run`' },
  docker: ofDocker,
  kubernetes: {
    seccomp: `set seccompProfile: {type: Localhost, localhostProfile: ${profile}} in the securityContext (docs/${profile} of the package, on the node)`,
    apparmor: 'set appArmorProfile: {type: Unconfined} in the securityContext',
    'masked-proc': 'set procMount: Unmasked in the securityContext of the container, and hostUsers: false in the pod',
    root: 'set runAsUser: 1000 in the securityContext',
    namespaces: options.namespaces,
  },
  nspawn: {
    ...unnamed,
    seccomp: 'add --system-call-filter="@mount pidfd_getfd" to `systemd-nspawn`',
    'masked-proc': 'set SYSTEMD_NSPAWN_API_VFS_WRITABLE=1 for `systemd-nspawn`',
  },
  lxc: { ...unnamed, 'masked-proc': 'set security.nesting=true for the container (lxc.include = nesting.conf)' },
  container: unnamed,
};

/** Returns one change for each obstacle, in the order in which the steps meet them. */
export function changesFor(steps: readonly FailedStep[], at: Surroundings): readonly ContainerChange[] {
  const { engine } = at;
  if (engine === 'none') return [];
  const obstacles = new Set(steps.flatMap((step) => obstaclesOf(step, at)));
  return [...obstacles].map((obstacle) => ({ obstacle, change: changes[engine][obstacle] }));
}
