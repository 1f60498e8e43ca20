import { callIfThere, type KubeKind, type KubeObject, kubeObjectIn, pathOf } from '../../../kube/index.ts';
import type { ClusterConnection } from '../connection.ts';

export interface Claimed {
  readonly claim: KubeObject;
  /** Absent until a sandbox belongs to the claim and has a pod. */
  readonly pod?: KubeObject;
}

/** Finds a claim by its name, and the pod behind it. */
export async function findClaimed(connection: ClusterConnection, name: string): Promise<Claimed | undefined> {
  const claim = await objectOf(connection, 'SandboxClaim', name);
  if (claim === undefined) return undefined;
  const pod = await podBehind(connection, claim);
  return { claim, ...(pod === undefined ? {} : { pod }) };
}

/** Returns the name of the sandbox that a claim received. */
export function claimedSandbox({ status }: KubeObject): string | undefined {
  const name = (status?.['sandbox'] as { readonly name?: unknown } | undefined)?.name;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/**
 * A status may be late or wrong. Only a sandbox that belongs to the claim counts, and a pod that belongs to the
 * sandbox.
 */
async function podBehind(connection: ClusterConnection, claim: KubeObject): Promise<KubeObject | undefined> {
  const named = claimedSandbox(claim);
  const sandbox = named === undefined ? undefined : await objectOf(connection, 'Sandbox', named);
  if (sandbox === undefined || !belongs(sandbox, claim)) return undefined;
  const { annotations = {}, name } = sandbox.metadata;
  const pod = await objectOf(connection, 'Pod', annotations['agents.x-k8s.io/pod-name'] ?? name);
  return pod !== undefined && belongs(pod, sandbox) ? pod : undefined;
}

function belongs({ metadata }: KubeObject, owner: KubeObject): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && (metadata.ownerReferences ?? []).some((reference) => reference.uid === uid);
}

async function objectOf(
  { target, namespace }: ClusterConnection,
  kind: KubeKind,
  name: string,
): Promise<KubeObject | undefined> {
  const call = { method: 'GET', path: pathOf({ kind, namespace, name }, target) } as const;
  const found = await callIfThere({ ...call, doing: `get the ${kind} ${JSON.stringify(name)}` }, target);
  return found === undefined ? undefined : kubeObjectIn(found);
}
