import { setTimeout as sleep } from 'node:timers/promises';
import { HoldfastError } from '../../errors/index.ts';
import {
  apiVersionOf,
  backoff,
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
  /** Distinguishes it from another object of the same name. */
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
 * Makes one object. An attempt with a lost answer may have made it already: the ID of the run shows that. Throws
 * `HF_CLUSTER_REFUSED`, also if another object has the name.
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
    path: pathOf({ kind, namespace }, target),
    doing: `create the ${kind} ${JSON.stringify(name)}`,
    body: manifest,
    query: dryRun === undefined ? [] : [['dryRun', 'All'] as const],
  } as const;
  for (let tries = 0; ; tries += 1) {
    const answer = await callOnce(call, target);
    if (answer.kind === 'answered')
      return { kind, namespace, name, uid: kubeObjectIn(objectIn(answer.body)).metadata.uid ?? '' };
    const { status } = answer.refusal;
    if (status === 404) throw missingKind(kind, call.doing);
    if (status !== 409) throw refusalError(answer.refusal, call, target);
    const there = dryRun === undefined ? await objectAt(manifest, target) : 'unasked';
    if (there === 'unasked' || tries >= mostConflicts) throw taken(kind, name, namespace);
    if (there !== undefined) return own(there, manifest) ?? fail(taken(kind, name, namespace));
    await sleep(backoff(tries), undefined, { signal: target.signal });
  }
}

/** A conflict without an object passes: a predecessor is just disappearing, or a quota is just being counted. */
const mostConflicts = 5;

function fail(error: HoldfastError): never {
  throw error;
}

/** Returns the object of a manifest if it exists and belongs to the same run. */
export async function findOwn(manifest: KubernetesObject, target: KubeTarget): Promise<MadeObject | undefined> {
  const found = await objectAt(manifest, target);
  return found === undefined ? undefined : own(found, manifest);
}

async function objectAt({ kind, metadata }: KubernetesObject, target: KubeTarget): Promise<KubeObject | undefined> {
  if (!isKubeKind(kind)) return undefined;
  const { name, namespace } = metadata;
  const path = pathOf({ kind, namespace, name }, target);
  const found = await callIfThere({ method: 'GET', path, doing: `get the ${kind} ${JSON.stringify(name)}` }, target);
  return found === undefined ? undefined : kubeObjectIn(found);
}

function own({ metadata: found }: KubeObject, { kind, metadata }: KubernetesObject): MadeObject | undefined {
  const run = metadata.annotations?.[runAnnotation];
  if (!isKubeKind(kind) || run === undefined || found.annotations?.[runAnnotation] !== run) return undefined;
  return { kind, namespace: metadata.namespace, name: metadata.name, uid: found.uid ?? '' };
}

function missingKind(kind: KubeKind, doing: string): HoldfastError {
  return new HoldfastError(
    'HF_CLUSTER_REFUSED',
    `the cluster did not ${doing}: it has no such kind or no such namespace`,
    {
      remedy:
        kind === 'Sandbox'
          ? 'install agent-sandbox (v1alpha1 or v1beta1), or use --kind pod'
          : 'see `holdfast cluster doctor`',
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

/** Whether exactly this object exists, and not another of its name. */
export async function isThere({ kind, namespace, name, uid }: MadeObject, target: KubeTarget): Promise<boolean> {
  const found = await callIfThere(
    {
      method: 'GET',
      path: pathOf({ kind, namespace, name }, target),
      doing: `get the ${kind} ${JSON.stringify(name)}`,
    },
    target,
  );
  return found !== undefined && kubeObjectIn(found).metadata.uid === uid;
}

/** Removes an object if it is still the same. A missing one is a success. */
export async function removeObject(object: MadeObject, target: KubeTarget): Promise<void> {
  const { kind, namespace, name, uid } = object;
  const call = {
    method: 'DELETE',
    path: pathOf({ kind, namespace, name }, target),
    doing: `delete the ${kind} ${JSON.stringify(name)}`,
    body: { apiVersion: 'v1', kind: 'DeleteOptions', ...(uid === '' ? {} : { preconditions: { uid } }) },
  } as const;
  for (let tries = 0; ; tries += 1) {
    const answer = await callOnce(call, target);
    if (answer.kind === 'answered' || answer.refusal.status === 404) return;
    if (answer.refusal.status !== 409) throw refusalError(answer.refusal, call, target);
    // Another object has the name by now, or another client changed this one at the same moment.
    if (!(await isThere(object, target))) return;
    if (tries >= mostConflicts) throw refusalError(answer.refusal, call, target);
    await sleep(backoff(tries), undefined, { signal: target.signal });
  }
}

/** The objects go with their owner, when a controller removes it at its expiry, or a person does. */
export async function giveOwner(object: MadeObject, owner: MadeObject, target: KubeTarget): Promise<void> {
  const { kind, namespace, name } = object;
  const apiVersion = apiVersionOf(owner.kind, target);
  await callFor(
    {
      method: 'PATCH',
      path: pathOf({ kind, namespace, name }, target),
      doing: `patch the ${kind} ${JSON.stringify(name)}`,
      contentType: 'application/merge-patch+json',
      body: { metadata: { ownerReferences: [{ apiVersion, kind: owner.kind, name: owner.name, uid: owner.uid }] } },
    },
    target,
  );
}

/** Returns the objects of one kind that a selector finds. For a kind that the cluster lacks, returns none. */
export async function findObjects(
  { kind, namespace, selector }: { readonly kind: KubeKind; readonly namespace: string; readonly selector: string },
  target: KubeTarget,
): Promise<readonly KubeObject[]> {
  const path = pathOf({ kind, namespace }, target);
  const found = await callIfThere(
    { method: 'GET', path, doing: `list ${path.split('/').at(-1) ?? kind}`, query: [['labelSelector', selector]] },
    target,
  );
  return found === undefined ? [] : listIn(found).items;
}
