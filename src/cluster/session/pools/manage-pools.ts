import { appendEvents } from '../../../audit/index.ts';
import { HoldfastError } from '../../../errors/index.ts';
import { callFor, type KubeKind, type KubeObject, pathOf, watchUntil } from '../../../kube/index.ts';
import { type ClusterRequest, type KubernetesObject, poolLabel, renderPool, shapeLabel } from '../../index.ts';
import { findObjects, isThere, type MadeObject, makeObject, ownLabel, removeObject } from '../cluster-objects.ts';
import type { ClusterConnection } from '../connection.ts';
import { checkName } from '../find-sandbox.ts';
import { insistShape, shapeOfPool } from './fitting-pool.ts';
import { poolShape, shapeId } from './pool-shape.ts';

/** A pool of sandboxes that wait for commands. */
export interface ClusterPool {
  readonly name: string;
  readonly namespace: string;
  /** Requested number of waiting sandboxes. */
  readonly size: number;
  /** The number of ready, waiting ones, according to its controller. */
  readonly ready: number;
  /** Runs with a sandbox of this pool. */
  readonly claims: number;
  /** One word for its policy, image, limits and workspace. */
  readonly shape: string;
}

/** Throws the errors of rendering. */
export function poolManifests(request: ClusterRequest, replicas: number): readonly KubernetesObject[] {
  const shape = poolShape(request);
  return renderPool(request, { replicas, shape, id: shapeId(shape) });
}

/**
 * Makes a pool, or changes the size of one that fits. Throws `HF_CLUSTER_REFUSED` for one of another policy, image,
 * limit or workspace, and the errors of rendering.
 */
export async function poolUp(
  connection: ClusterConnection,
  request: ClusterRequest,
  size: number,
): Promise<ClusterPool> {
  const { target, namespace } = connection;
  const manifests = poolManifests(request, size);
  const { name } = request;
  const found = await shapeOfPool(connection, name);
  if (found !== undefined) insistShape(name, found, request);
  journalChange(connection, { change: 'up', name, size, shape: shapeId(poolShape(request)) });
  for (const manifest of manifests) await makeObject(manifest, target);
  // For a pool that existed before.
  const path = pathOf({ kind: 'SandboxWarmPool', namespace, name }, target);
  const contentType = 'application/merge-patch+json';
  const doing = `patch the SandboxWarmPool ${JSON.stringify(name)}`;
  await callFor({ method: 'PATCH', path, contentType, doing, body: { spec: { replicas: size } } }, target);
  const pool = (await listPools(connection)).find((each) => each.name === name);
  if (pool !== undefined) return pool;
  throw new HoldfastError('HF_CLUSTER_FAILED', `the pool ${JSON.stringify(name)} was made, and is gone`, {
    remedy: 'see whether another client removes it',
  });
}

/** Before any change: a change without an entry in the journal does not happen. */
function journalChange({ target, namespace, journal }: ClusterConnection, change: PoolChange): void {
  appendEvents(journal, [{ type: 'cluster.pool', server: target.access.server.origin, namespace, ...change }]);
}

type PoolChange =
  | { readonly change: 'up'; readonly name: string; readonly size: number; readonly shape: string }
  | { readonly change: 'down'; readonly name: string };

/** Lists the pools of a namespace by name. */
export async function listPools({ target, namespace }: ClusterConnection): Promise<readonly ClusterPool[]> {
  const find = (kind: KubeKind) => findObjects({ kind, namespace, selector: ownLabel }, target);
  const [pools, claims] = await Promise.all([find('SandboxWarmPool'), find('SandboxClaim')]);
  return pools.map((pool) => poolOf(pool, claims, namespace)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function poolOf(
  { metadata: { name, labels = {} }, spec, status }: KubeObject,
  claims: readonly KubeObject[],
  namespace: string,
): ClusterPool {
  return {
    name,
    namespace,
    size: numberIn(spec?.['replicas']),
    ready: numberIn(status?.['readyReplicas']),
    claims: claims.filter(({ metadata }) => metadata.labels?.[poolLabel] === name).length,
    shape: labels[shapeLabel] ?? '',
  };
}

function numberIn(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Milliseconds for the waiting pods to end. */
const timeToEnd = 90_000;

/**
 * Removes a pool and the objects that its runs shared. Returns the removed objects. Throws `HF_CLUSTER_REFUSED` while a
 * run has a sandbox of it: its way out stays closed.
 */
export async function poolDown(connection: ClusterConnection, name: string): Promise<readonly string[]> {
  checkName(name);
  const { target, namespace } = connection;
  const found = await objectsOfPool(connection, name);
  if (found.length === 0)
    throw new HoldfastError(
      'HF_USAGE',
      `there is no pool ${JSON.stringify(name)} in the namespace ${JSON.stringify(namespace)}`,
      {
        remedy: 'see `holdfast cluster pool list`',
      },
    );
  await insistUnclaimed(connection, name);
  journalChange(connection, { change: 'down', name });
  const [sources, shared] = [found.filter(isSource), found.filter((object) => !isSource(object))];
  for (const object of sources) await removeObject(object, target);
  // A claim that came in between wins.
  await insistUnclaimed(connection, name);
  await watchUntil(
    {
      path: pathOf({ kind: 'Pod', namespace }),
      selected: { labels: selectorOfPool(name) },
      doing: 'list pods',
      atMost: timeToEnd,
      awaited: () => `the end of the pods of ${JSON.stringify(name)}`,
    },
    target,
    (pods) => (pods.length === 0 ? 'gone' : undefined),
  );
  for (const object of shared) await removeObject(object, target);
  const left = await Promise.all(found.map(async (object) => ((await isThere(object, target)) ? [object.kind] : [])));
  if (left.flat().length === 0) return found.map((object) => `${object.kind}/${object.name}`);
  throw new HoldfastError(
    'HF_CLUSTER_FAILED',
    `these do not go: ${left.flat().join(', ')} of ${JSON.stringify(name)}`,
    {
      remedy: 'see their finalizers, and run `holdfast cluster pool down` again',
    },
  );
}

/** The objects that make pods. The pool goes first, because it would ask for a missing template. */
function isSource({ kind }: MadeObject): boolean {
  return kind === 'SandboxWarmPool' || kind === 'SandboxTemplate';
}

async function insistUnclaimed({ target, namespace }: ClusterConnection, name: string): Promise<void> {
  const claims = await findObjects({ kind: 'SandboxClaim', namespace, selector: selectorOfPool(name) }, target);
  if (claims.length === 0) return;
  const names = claims.map(({ metadata }) => metadata.name);
  throw new HoldfastError(
    'HF_CLUSTER_REFUSED',
    `the pool ${JSON.stringify(name)} has runs: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ' and others' : ''}`,
    { remedy: 'stop them first with `holdfast cluster stop`, then run `pool down` again' },
  );
}

const kinds: readonly KubeKind[] = ['SandboxWarmPool', 'SandboxTemplate', 'NetworkPolicy', 'ConfigMap'];

async function objectsOfPool({ target, namespace }: ClusterConnection, name: string): Promise<readonly MadeObject[]> {
  const found: MadeObject[] = [];
  for (const kind of kinds)
    for (const { metadata } of await findObjects({ kind, namespace, selector: selectorOfPool(name) }, target))
      found.push({ kind, namespace, name: metadata.name, uid: metadata.uid ?? '' });
  return found;
}

function selectorOfPool(name: string): string {
  return `${ownLabel},${poolLabel}=${name}`;
}
