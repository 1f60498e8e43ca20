import { callFor, pathOf } from '../../kube/index.ts';
import { kubernetesTime } from '../index.ts';
import type { MadeObject } from './cluster-objects.ts';
import type { ClusterConnection } from './connection.ts';

/** Milliseconds. The controller removes a sandbox after this time without a renewal by its client. */
export const lease = 1_800_000;
/** No client renews the lease of a detached sandbox. */
export const detachedLease = 86_400_000;

/** Moves the expiry of the object that owns a run. After a failure, the next renewal tries again. */
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
