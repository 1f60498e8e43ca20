import { HoldfastError } from '../../errors/index.ts';
import { type KubeObject, pathOf } from '../../kube/index.ts';
import { callIfThere } from '../../kube/index.ts';
import type { AskingSandbox } from './approvals/follow-sandbox.ts';
import { findObjects, runAnnotation, selectorOf } from './cluster-objects.ts';
import type { ClusterConnection } from './connection.ts';
import { type PodState, podState } from './pod-state.ts';
import { findClaimed } from './pools/find-claimed.ts';
import type { StartedBy } from './run-way.ts';

/** The pod of a sandbox. */
export interface FoundPod {
  readonly pod: string;
  readonly state: PodState;
  /** ID of its run. Empty if no client runs it. */
  readonly run: string;
  readonly terminal: 'own' | 'none';
  readonly startedBy: StartedBy;
  /** The words that make a box in its container, before those of a command. */
  readonly entrance: readonly string[];
  /** Ports of its first command's box, as `9000:8080`. */
  readonly shown: readonly string[];
  /** `none`: its network is closed. */
  readonly supervisor: 'there' | 'none';
}

/** Finds the pod of a sandbox by its name. Throws `HF_USAGE` if the cluster has no such pod. */
export async function findPod(connection: ClusterConnection, name: string): Promise<FoundPod> {
  const found = await podOf(connection, name);
  if (found !== undefined) return found;
  throw unknownSandbox(connection, name);
}

/** Returns the containers of a sandbox that may ask. Throws `HF_USAGE` if none of them runs. */
export async function askingContainers(connection: ClusterConnection, name: string): Promise<AskingSandbox> {
  const { pod, state, supervisor } = await findPod(connection, name);
  const isOpen = supervisor === 'there';
  if (state.kind === 'running') return { name, pod, containers: [...(isOpen ? supervisors : []), 'command'] };
  if (state.kind === 'ended' && isOpen) return { name, pod, containers: supervisors };
  throw notRunning(name, state.kind);
}

const supervisors = ['supervisor'] as const;

export function unknownSandbox({ namespace }: ClusterConnection, name: string): HoldfastError {
  return new HoldfastError(
    'HF_USAGE',
    `there is no sandbox ${JSON.stringify(name)} in the namespace ${JSON.stringify(namespace)}`,
    { remedy: 'see `holdfast cluster list`, or name another namespace with --namespace' },
  );
}

export async function podOf(
  { target, namespace, ...rest }: ClusterConnection,
  name: string,
): Promise<FoundPod | undefined> {
  checkName(name);
  const [pod] = await findObjects({ kind: 'Pod', namespace, selector: selectorOf(name) }, target);
  if (pod !== undefined) return facts(pod);
  const claimed = await findClaimed({ target, namespace, ...rest }, name);
  if (claimed?.pod === undefined) return undefined;
  const annotations = claimed.claim.metadata.annotations ?? {};
  const shown = wordsOf(annotations['holdfast.dev/forward']);
  return { ...facts(claimed.pod), run: annotations[runAnnotation] ?? '', shown, startedBy: 'exec' };
}

export function notRunning(name: string, state: string): HoldfastError {
  return new HoldfastError('HF_USAGE', `the sandbox ${JSON.stringify(name)} runs no command: it is ${state}`, {
    remedy: 'see `holdfast cluster list`, and `holdfast cluster logs` for its output',
  });
}

export function ofItsClient(name: string): HoldfastError {
  return new HoldfastError(
    'HF_USAGE',
    `the command of ${JSON.stringify(name)} came from a pool, and only its client has its streams`,
    {
      remedy: `look at it with \`holdfast cluster exec ${name} -- COMMAND\``,
    },
  );
}

/** The name is used in a selector. */
export function checkName(name: string): void {
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u.test(name)) return;
  throw new HoldfastError('HF_USAGE', `this is no name of a sandbox: ${JSON.stringify(name.slice(0, 60))}`, {
    remedy: 'see `holdfast cluster list`',
  });
}

function facts(pod: KubeObject): FoundPod {
  const { metadata, spec } = pod;
  const containers = spec?.['containers'] as readonly { readonly name?: string; readonly tty?: boolean }[] | undefined;
  const annotations = metadata.annotations ?? {};
  return {
    pod: metadata.name,
    state: podState(pod),
    run: annotations[runAnnotation] ?? '',
    startedBy: 'container',
    terminal: containers?.find((each) => each.name === 'command')?.tty === true ? 'own' : 'none',
    entrance: wordsOf(annotations['holdfast.dev/entrance']),
    shown: wordsOf(annotations['holdfast.dev/forward']),
    supervisor: supervisorOf(pod),
  };
}

function supervisorOf({ spec }: KubeObject): FoundPod['supervisor'] {
  const first = (spec?.['initContainers'] ?? []) as readonly { readonly name?: unknown }[];
  return Array.isArray(first) && first.some(({ name }) => name === 'supervisor') ? 'there' : 'none';
}

function wordsOf(text = ''): readonly string[] {
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : [];
  } catch {
    return [];
  }
}

/** Throws `HF_CLUSTER_REFUSED` unless the namespace exists and this user may see it. */
export async function namespaceLabels({
  target,
  namespace,
}: ClusterConnection): Promise<Readonly<Record<string, string>> | undefined> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  const found = await callIfThere(
    { method: 'GET', path, doing: `get the namespace ${JSON.stringify(namespace)}` },
    target,
  );
  const metadata = found?.['metadata'] as { readonly labels?: Readonly<Record<string, string>> } | undefined;
  return found === undefined ? undefined : (metadata?.labels ?? {});
}

/** The path of the pod's logs, for `readLogs`. */
export function logPath({ namespace }: ClusterConnection, pod: string): string {
  return pathOf({ kind: 'Pod', namespace, name: pod, subresource: 'log' });
}
