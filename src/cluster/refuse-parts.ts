import { HoldfastError } from '../errors/index.ts';
import type { Mount } from '../plan/mount.ts';
import { proxyPort } from './containers.ts';
import type { LimitPlan, NetworkPlan, NotifyPlan, Plan } from '../plan/types.ts';
import type { PodCredential, ClusterRequest } from './types.ts';

/** The enforcer of a part of the plan in a cluster: a field of a manifest, the launcher in the container, or none. */
export type PartHolder =
  | { readonly kind: 'manifest' }
  | { readonly kind: 'launcher' }
  | { readonly kind: 'refused'; readonly what: string; readonly remedy: string };

type Scope = Pick<ClusterRequest, 'workspace' | 'ofImage'>;

const manifest: PartHolder = { kind: 'manifest' };
const launcher: PartHolder = { kind: 'launcher' };
const refused = (what: string, remedy: string): PartHolder => ({ kind: 'refused', what, remedy });

/** Throws `HF_GUARANTEE_MISSING` for the first part of a request that a cluster cannot hold. */
export function refuseParts(request: ClusterRequest): void {
  if (request.credentials.length > 0 && (request.pool !== undefined || request.waits !== undefined))
    throw new HoldfastError('HF_GUARANTEE_MISSING', 'a pool cannot hold credentials: its pods wait for any claim', {
      remedy: 'leave --pool out, or use a policy that has no [[credentials]]',
    });
  for (const name of request.secretVariables)
    throw new HoldfastError('HF_GUARANTEE_MISSING', `a cluster cannot hold the variable ${name}: it is a secret`, {
      remedy: 'leave its grant out: a manifest is read by many',
    });
  for (const holder of holdersOf(request.plan, request))
    if (holder.kind === 'refused')
      throw new HoldfastError('HF_GUARANTEE_MISSING', `a cluster cannot hold ${holder.what}`, {
        remedy: holder.remedy,
      });
  for (const credential of request.credentials) refuseCredential(credential, request);
}

function refuseCredential(
  { name, variable, unheld: [unheld] }: PodCredential,
  { secrets }: Pick<ClusterRequest, 'secrets'>,
): void {
  if (unheld !== undefined)
    throw new HoldfastError('HF_GUARANTEE_MISSING', `a cluster cannot hold ${unheld} of the credential "${name}"`, {
      remedy:
        'leave it out of the policy for the cluster: a pod has no such file, and Holdfast makes none of that format',
    });
  if (variable === undefined)
    throw new HoldfastError('HF_GUARANTEE_MISSING', `a cluster cannot read the source of the credential "${name}"`, {
      remedy: `write source = { env = "NAME" }, and add --secret ${name}=SECRET/KEY`,
    });
  if (!secrets.some(({ credential }) => credential === name))
    throw new HoldfastError('HF_USAGE', `nothing names the Secret of the credential "${name}"`, {
      remedy: `add --secret ${name}=SECRET/KEY`,
    });
}

/** One holder for each part. A new part of the plan does not compile without one. */
export function holdersOf(plan: Plan, scope: Scope): readonly PartHolder[] {
  const parts: { readonly [Part in keyof Required<Plan>]: readonly PartHolder[] } = {
    command: plan.command.cwd === scope.workspace ? [manifest] : [startsBelow(plan.command.cwd)],
    mounts: plan.mounts.map((mount) => mountHolder(mount, scope)),
    protection: [launcher],
    landlock: [launcher],
    runnable: plan.runnable === undefined ? [] : [installedOnly],
    seccomp: [seccompHolder(plan)],
    notify: [notifyHolder(plan.notify)],
    programs: plan.programs.map(() => launcher),
    limits: limitHolders(plan.limits),
    network: networkHolders(plan.network),
    keeper: plan.keeper === undefined ? [] : [staged],
    seen: [],
    confinement: plan.confinement === 'landlock' ? [landlockAlone] : [manifest],
    requires: [manifest],
    expects: [manifest],
  };
  return Object.values(parts).flat();
}

const staged = refused('a staged layer', 'leave --staged out: a layer is reviewed on the machine that has it');
const installedOnly = refused('`commands.programs = "installed"`', 'leave it out: nobody has tried it in a cluster');
const landlockAlone = refused('a box of Landlock alone', 'leave `backend = "landlock"` and --backend out');

const takenByProxy = refused(
  `port ${proxyPort} of a box as the same port: the pod's supervisor listens there`,
  `show it on another one, as in --forward ${proxyPort + 1}:${proxyPort}`,
);

function startsBelow(cwd: string): PartHolder {
  return refused(`a start in ${JSON.stringify(cwd)}`, 'start at the top of the workspace, or name it with --workspace');
}

function mountHolder(mount: Mount, { workspace, ofImage }: Scope): PartHolder {
  switch (mount.kind) {
    case 'bind':
      return within(mount.target, workspace) || ofImage.some((path) => within(mount.target, path))
        ? launcher
        : refusedPath(mount.target);
    case 'overlay':
      return mount.layer === undefined ? launcher : staged;
    case 'devices':
      return mount.kvm === 'shown'
        ? refused('/dev/kvm', 'leave the backend microvm out, and require "hardware.separate" instead')
        : launcher;
    case 'tmpfs':
    case 'proc':
    case 'directory':
    case 'symlink':
    case 'file':
    case 'mask':
      return launcher;
  }
}

function refusedPath(path: string): PartHolder {
  return refused(
    `${JSON.stringify(path)} of this machine`,
    'put it into the image or the workspace, and leave its grant out',
  );
}

function seccompHolder({ seccomp }: Plan): PartHolder {
  switch (seccomp.nesting ?? 'none') {
    case 'runtime':
      return refused('a container runtime in a box', 'leave the backend gvisor out');
    case 'none':
      return launcher;
  }
}

function notifyHolder(notify: NotifyPlan): PartHolder {
  switch (notify.kind) {
    case 'none':
    case 'guard':
      return launcher;
    case 'supervisor':
      return notify.reach === 'everything' ? landlockAlone : launcher;
  }
}

function limitHolders(limits: LimitPlan): readonly PartHolder[] {
  const holders: { readonly [Limit in keyof Required<LimitPlan>]: PartHolder } = {
    memory: manifest,
    cpus: manifest,
    wall: manifest,
    grace: manifest,
    privateDisk: launcher,
    processes: launcher,
    cpuTime: launcher,
    fileSize: launcher,
    openFiles: launcher,
    staged: launcher,
    // Control groups of this machine. The container has its own.
    cgroups: manifest,
  };
  return (Object.keys(limits) as (keyof LimitPlan)[]).map((limit) => holders[limit]);
}

function networkHolders(network: NetworkPlan): readonly PartHolder[] {
  switch (network.kind) {
    case 'closed':
      return [manifest];
    case 'names':
      return [
        manifest,
        ...(network.loopbackPorts.length > 0
          ? [refused("ports of this machine's loopback", 'leave rules for localhost out')]
          : []),
        ...(network.forward.some(({ host }) => host === proxyPort) ? [takenByProxy] : []),
      ];
  }
}

/** Both absolute and normalised. */
function within(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}
