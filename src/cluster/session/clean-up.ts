import { setTimeout as sleep } from 'node:timers/promises';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { type KubeTarget, pathOf, watchUntil } from '../../kube/index.ts';
import type { KubernetesObject } from '../index.ts';
import { findOwn, isThere, type MadeObject, removeObject, selectorOf } from './cluster-objects.ts';
import { type ClusterConnection, uninterrupted } from './connection.ts';
import { findClaimed } from './pools/find-claimed.ts';

/** Milliseconds for a pod to end, with its grace. */
const timeToEnd = 90_000;

/** Removes the objects of a run, its pod first. The way out stays closed until the pod is gone. */
export async function removeRun(
  connection: ClusterConnection,
  name: string,
  made: readonly MadeObject[],
): Promise<void> {
  const { target } = connection;
  const isWorkload = ({ kind }: MadeObject): boolean => kind !== 'ConfigMap' && kind !== 'NetworkPolicy';
  const pods = await podsOfClaims(connection, made);
  for (const object of made.filter(isWorkload)) await removeObject(object, target);
  await podGone(connection, name);
  for (const object of [...made.filter(isWorkload), ...pods]) await objectGone(object, target);
  for (const object of made.filter((each) => !isWorkload(each))) await removeObject(object, target);
}

/** The pod of a claim has the labels of its pool. So it is found through the claim, while that exists. */
async function podsOfClaims(
  connection: ClusterConnection,
  made: readonly MadeObject[],
): Promise<readonly MadeObject[]> {
  const { namespace } = connection;
  const pods: MadeObject[] = [];
  for (const { kind, name, uid } of made) {
    const found = kind === 'SandboxClaim' ? await findClaimed(connection, name) : undefined;
    if (found?.pod === undefined || found.claim.metadata.uid !== uid) continue;
    const { metadata } = found.pod;
    pods.push({ kind: 'Pod', namespace, name: metadata.name, uid: metadata.uid ?? '' });
  }
  return pods;
}

/** A controller's object disappears when the controller has released it. */
export async function objectGone(object: MadeObject, target: KubeTarget): Promise<void> {
  const until = Date.now() + timeToEnd;
  for (let wait = 100; ; wait = Math.min(2000, wait * 2)) {
    if (!(await isThere(object, target))) return;
    if (Date.now() > until)
      throw new HoldfastError('HF_CLUSTER_FAILED', `the ${object.kind} ${JSON.stringify(object.name)} does not go`, {
        remedy: 'see its finalizers, and whether its controller runs',
      });
    await sleep(wait, undefined, { signal: target.signal });
  }
}

export async function podGone({ target, namespace }: ClusterConnection, name: string): Promise<void> {
  await watchUntil(
    {
      path: pathOf({ kind: 'Pod', namespace }),
      selected: { labels: selectorOf(name) },
      doing: 'list pods',
      atMost: timeToEnd,
      awaited: () => `the end of the pod of ${JSON.stringify(name)}`,
    },
    target,
    (pods) => (pods.length === 0 ? 'gone' : undefined),
  );
}

export interface Undone {
  readonly connection: ClusterConnection;
  readonly name: string;
  readonly made: readonly MadeObject[];
  /** An object that possibly exists: the answer to its request was lost. */
  readonly doubtful?: KubernetesObject | undefined;
}

/** Removes the objects of a failed run, and returns the error of the failure. The error names remaining objects. */
export async function undoRun(error: unknown, { connection, name, made, doubtful }: Undone): Promise<unknown> {
  const later = uninterrupted(connection);
  try {
    const own = doubtful === undefined ? undefined : await findOwn(doubtful, later.target);
    const all = own === undefined ? made : [...made, own];
    if (all.length > 0) await removeRun(later, name, all.toReversed());
    return error;
  } catch (cause) {
    const first = isHoldfastError(error) ? error.message : String(error);
    return new HoldfastError(
      'HF_CLUSTER_FAILED',
      `${first}; objects of ${JSON.stringify(name)} may be left in the namespace ${JSON.stringify(connection.namespace)}`,
      { remedy: `see \`holdfast cluster list\`, and run \`holdfast cluster stop ${name} --discard\``, cause },
    );
  }
}
