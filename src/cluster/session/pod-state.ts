import { HoldfastError } from '../../errors/index.ts';
import type { KubeObject } from '../../kube/index.ts';

/** The facts about a pod that a run needs. */
export type PodState =
  | { readonly kind: 'starting'; readonly why: string }
  | { readonly kind: 'running'; readonly pod: string }
  | { readonly kind: 'ended'; readonly pod: string; readonly end: CommandExit }
  | { readonly kind: 'broken'; readonly why: string; readonly remedy: string };

export interface CommandExit {
  readonly exitCode: number;
  /** As `OOMKilled`. */
  readonly reason: string;
}

interface ContainerStatus {
  readonly name?: string;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  /** For its previous start. */
  readonly lastState?: ContainerState;
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: object;
  readonly terminated?: { readonly exitCode?: number; readonly reason?: string; readonly message?: string };
}

interface PodStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly conditions?: readonly { readonly type?: string; readonly status?: string; readonly message?: string }[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
}

/** Reasons to wait that do not disappear by themselves. */
const hopeless: Readonly<Record<string, string>> = {
  ImagePullBackOff: 'name an image with --image that the nodes can pull',
  InvalidImageName: 'name another image with --image',
  CreateContainerConfigError: 'see whether the nodes have the seccomp profile (docs/kubernetes.md)',
  CreateContainerError: 'see whether the nodes have the seccomp profile (docs/kubernetes.md)',
  RunContainerError: 'see whether the image has /bin/sh and the runtime allows the fields of the pod',
  CrashLoopBackOff: 'see `holdfast cluster logs`',
};

export function podState({ metadata: { name, deletionTimestamp }, status }: KubeObject): PodState {
  const pod: PodStatus = status ?? {};
  const containers = pod.containerStatuses ?? [];
  const command = containers.find((each) => each.name === 'command')?.state;
  const ended = command?.terminated;
  if (ended !== undefined)
    return { kind: 'ended', pod: name, end: { exitCode: ended.exitCode ?? 255, reason: ended.reason ?? '' } };
  if (deletionTimestamp !== undefined) return broken('the pod was deleted', 'run the command again');
  if (pod.phase === 'Failed' || pod.phase === 'Succeeded')
    return broken(`the pod ended: ${pod.reason ?? pod.phase} ${pod.message ?? ''}`, 'read the events of its node');
  // A running command continues without its supervisor, and its changes are worth more than its network.
  const first = command?.running === undefined ? (pod.initContainerStatuses ?? []) : [];
  const stuck = stuckContainer([...first, ...containers]);
  if (stuck !== undefined) return stuck;
  if (containers.length > 0 && containers.every(({ state }) => state?.running !== undefined))
    return { kind: 'running', pod: name };
  const scheduled = pod.conditions?.find(({ type }) => type === 'PodScheduled');
  return {
    kind: 'starting',
    why: scheduled?.status === 'False' ? (scheduled.message ?? 'it has no node') : (pod.phase ?? 'unknown'),
  };
}

/** Returns the reason why the supervisor of a pod ended after its start, if it did. */
export function supervisorEnd({ status }: KubeObject): string | undefined {
  const pod: PodStatus = status ?? {};
  const supervisor = pod.initContainerStatuses?.find(({ name }) => name === 'supervisor');
  const terminated = supervisor?.state?.terminated ?? supervisor?.lastState?.terminated;
  if (terminated === undefined && (supervisor?.restartCount ?? 0) === 0) return undefined;
  return oneLine(terminated?.reason ?? `exit status ${terminated?.exitCode ?? 'unknown'}`).slice(0, 80);
}

function stuckContainer(containers: readonly ContainerStatus[]): PodState | undefined {
  for (const { name = '', state } of containers) {
    const { waiting, terminated } = state ?? {};
    const remedy = hopeless[waiting?.reason ?? ''];
    if (remedy !== undefined)
      return broken(`the container ${name} cannot start: ${waiting?.reason}: ${waiting?.message ?? ''}`, remedy);
    if (terminated !== undefined && terminated.exitCode !== 0)
      return broken(
        `the container ${name} ended with ${terminated.exitCode}: ${terminated.message ?? terminated.reason ?? ''}`,
        'see whether the image has the programs that it needs (docs/kubernetes.md)',
      );
  }
  return undefined;
}

/** A node's text: one line, of bounded length. */
function broken(why: string, remedy: string): PodState {
  return { kind: 'broken', why: oneLine(why).slice(0, 400), remedy };
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
}

export function brokenError(state: { readonly why: string; readonly remedy: string }): HoldfastError {
  return new HoldfastError('HF_CLUSTER_FAILED', state.why, { remedy: state.remedy });
}
