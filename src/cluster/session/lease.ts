import { callFor, pathOf } from '../../kube/index.ts';
import { kubernetesTime } from '../index.ts';
import type { MadeObject } from './cluster-objects.ts';
import type { ClusterConnection } from './connection.ts';

/** Milliseconds. The controller removes a sandbox whose client has not renewed it for so long. */
export const lease = 1_800_000;
/** Nobody renews the lease of a detached sandbox. */
export const detachedLease = 86_400_000;

/** Moves the expiry of what owns a run. A failure is tried again with the next renewal. */
export async function renewLease({ target }: ClusterConnection, owner: MadeObject): Promise<void> {
  const times = { shutdownTime: kubernetesTime(target.clock.now() + lease), shutdownPolicy: 'Delete' };
  const call = {
    method: 'PATCH',
    path: pathOf(owner, target),
    doing: `patch the ${owner.kind} ${JSON.stringify(owner.name)}`,
    contentType: 'application/merge-patch+json',
    body: { spec: owner.kind === 'SandboxClaim' ? { lifecycle: times } : times },
  } as const;
  await callFor(call, target).catch(() => undefined);
}
