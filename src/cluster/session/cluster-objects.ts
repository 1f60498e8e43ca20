import { HoldfastError } from '../../errors/index.ts';
import {
  listIn,
  kubeObjectIn,
  callFor,
  callIfThere,
  callOnce,
  isKubeKind,
  type KubeKind,
  type KubeObject,
  type KubeTarget,
  objectIn,
  pathOf,
  refusalError,
} from '../../kube/index.ts';
import type { KubernetesObject } from '../index.ts';

/** An object that this client made. */
export interface MadeObject {
  readonly kind: KubeKind;
  readonly namespace: string;
  readonly name: string;
  /** Tells it from another of the same name. */
  readonly uid: string;
}

export const runAnnotation = 'holdfast.dev/run';
export const nameLabel = 'holdfast.dev/sandbox';
export const ownLabel = 'app.kubernetes.io/managed-by=holdfast';

/** Selects the objects and pods of one sandbox. */
export function selectorOf(name: string): string {
  return `${ownLabel},${nameLabel}=${name}`;
}

/**
 * Makes one object. A try whose answer was lost may have made it already: the ID of the run tells. Throws
 * `HF_CLUSTER_REFUSED`, also where something else has the name.
 */
export async function makeObject(
  manifest: KubernetesObject,
  target: KubeTarget,
  dryRun?: 'dry-run',
): Promise<MadeObject> {
  const { kind, metadata } = manifest;
  if (!isKubeKind(kind)) throw new HoldfastError('HF_INTERNAL', `no way to make a ${kind}`, { remedy: 'report it' });
  const { namespace, name } = metadata;
  const call = {
    method: 'POST',
    path: pathOf({ kind, namespace }),
    doing: `create the ${kind} ${JSON.stringify(name)}`,
    body: manifest,
    query: dryRun === undefined ? [] : [['dryRun', 'All'] as const],
  } as const;
  const answer = await callOnce(call, target);
  if (answer.kind === 'answered')
    return { kind, namespace, name, uid: kubeObjectIn(objectIn(answer.body)).metadata.uid ?? '' };
  const { status } = answer.refusal;
  if (status === 404) throw missingKind(kind, call.doing);
  const mine = status === 409 && dryRun === undefined ? await findOwn(manifest, target) : undefined;
  if (mine !== undefined) return mine;
  if (status === 409) throw taken(kind, name, namespace);
  throw refusalError(answer.refusal, call, target);
}

/** Returns the object of a manifest if it is there and of the same run. */
export async function findOwn(manifest: KubernetesObject, target: KubeTarget): Promise<MadeObject | undefined> {
  const {
    kind,
    metadata: { name, namespace, annotations },
  } = manifest;
  if (!isKubeKind(kind)) return undefined;
  const found = await callIfThere(
    { method: 'GET', path: pathOf({ kind, namespace, name }), doing: `get the ${kind} ${JSON.stringify(name)}` },
    target,
  );
  if (found === undefined) return undefined;
  const { metadata } = kubeObjectIn(found);
  const run = annotations?.[runAnnotation];
  if (run === undefined || metadata.annotations?.[runAnnotation] !== run) return undefined;
  return { kind, namespace, name, uid: metadata.uid ?? '' };
}

function missingKind(kind: KubeKind, doing: string): HoldfastError {
  return new HoldfastError(
    'HF_CLUSTER_REFUSED',
    `the cluster did not ${doing}: it has no such kind or no such namespace`,
    {
      remedy:
        kind === 'Sandbox' ? 'install agent-sandbox (v1alpha1), or use --kind pod' : 'see `holdfast cluster doctor`',
    },
  );
}

function taken(kind: KubeKind, name: string, namespace: string): HoldfastError {
  return new HoldfastError(
    'HF_CLUSTER_REFUSED',
    `the namespace ${JSON.stringify(namespace)} already has a ${kind} ${JSON.stringify(name)}, which this run did not make`,
    { remedy: 'use another --name, or `holdfast cluster stop` it first' },
  );
}

/** Whether this very object is there, and not another of its name. */
export async function isThere({ kind, namespace, name, uid }: MadeObject, target: KubeTarget): Promise<boolean> {
  const found = await callIfThere(
    { method: 'GET', path: pathOf({ kind, namespace, name }), doing: `get the ${kind} ${JSON.stringify(name)}` },
    target,
  );
  return found !== undefined && kubeObjectIn(found).metadata.uid === uid;
}

/** Removes an object if it is still the same. One that is gone is as good. */
export async function removeObject({ kind, namespace, name, uid }: MadeObject, target: KubeTarget): Promise<void> {
  const call = {
    method: 'DELETE',
    path: pathOf({ kind, namespace, name }),
    doing: `delete the ${kind} ${JSON.stringify(name)}`,
    body: { apiVersion: 'v1', kind: 'DeleteOptions', ...(uid === '' ? {} : { preconditions: { uid } }) },
  } as const;
  const answer = await callOnce(call, target);
  // 409: another object has the name by now.
  if (answer.kind === 'answered' || answer.refusal.status === 404 || answer.refusal.status === 409) return;
  throw refusalError(answer.refusal, call, target);
}

/** The objects go with their owner, when a controller removes it at its expiry, or a person does. */
export async function giveOwner(object: MadeObject, owner: MadeObject, target: KubeTarget): Promise<void> {
  const { kind, namespace, name } = object;
  const apiVersion = owner.kind === 'Pod' ? 'v1' : 'agents.x-k8s.io/v1alpha1';
  await callFor(
    {
      method: 'PATCH',
      path: pathOf({ kind, namespace, name }),
      doing: `patch the ${kind} ${JSON.stringify(name)}`,
      contentType: 'application/merge-patch+json',
      body: { metadata: { ownerReferences: [{ apiVersion, kind: owner.kind, name: owner.name, uid: owner.uid }] } },
    },
    target,
  );
}

/** Returns the objects of one kind that a selector finds. A kind that the cluster does not have has none. */
export async function findObjects(
  { kind, namespace, selector }: { readonly kind: KubeKind; readonly namespace: string; readonly selector: string },
  target: KubeTarget,
): Promise<readonly KubeObject[]> {
  const path = pathOf({ kind, namespace });
  const found = await callIfThere(
    { method: 'GET', path, doing: `list ${path.split('/').at(-1) ?? kind}`, query: [['labelSelector', selector]] },
    target,
  );
  return found === undefined ? [] : listIn(found).items;
}
