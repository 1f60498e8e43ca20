import { HoldfastError } from '../../../errors/index.ts';
import { callIfThere, kubeObjectIn, pathOf } from '../../../kube/index.ts';
import { type ClusterRequest, type PoolShape, shapeLabel, shapeParts } from '../../index.ts';
import type { ClusterConnection } from '../connection.ts';
import { poolShape, shapeId } from './pool-shape.ts';

/** Throws `HF_CLUSTER_REFUSED` unless the pool exists, and its pods equal those of this run. */
export async function insistPool(connection: ClusterConnection, name: string, request: ClusterRequest): Promise<void> {
  const found = await shapeOfPool(connection, name);
  if (found === undefined)
    throw new HoldfastError(
      'HF_CLUSTER_REFUSED',
      `the namespace ${JSON.stringify(connection.namespace)} has no pool ${JSON.stringify(name)}`,
      { remedy: `make it: holdfast cluster pool up ${name}, or see \`holdfast cluster pool list\`` },
    );
  insistShape(name, found, request);
}

/** The facts about a cluster template's pods. */
export interface FoundShape {
  readonly id: string;
  readonly parts: Partial<PoolShape>;
}

/** Undefined without such a pool. */
export async function shapeOfPool(
  { target, namespace }: ClusterConnection,
  name: string,
): Promise<FoundShape | undefined> {
  const path = pathOf({ kind: 'SandboxTemplate', namespace, name }, target);
  const found = await callIfThere(
    { method: 'GET', path, doing: `get the SandboxTemplate ${JSON.stringify(name)}` },
    target,
  );
  if (found === undefined) return undefined;
  const { labels = {}, annotations = {} } = kubeObjectIn(found).metadata;
  return { id: labels[shapeLabel] ?? '', parts: partsIn(annotations['holdfast.dev/shape-parts']) };
}

export function insistShape(name: string, { id, parts }: FoundShape, request: ClusterRequest): void {
  const wanted = poolShape(request);
  if (id === shapeId(wanted)) return;
  const other = shapeParts.find((part) => parts[part] !== wanted[part]) ?? 'pod';
  throw new HoldfastError(
    'HF_CLUSTER_REFUSED',
    `the pool ${JSON.stringify(name)} was made for ${words[other]} than this run has`,
    { remedy: `use a pool that was made with the same policy and options, or leave --pool out`, details: { other } },
  );
}

const words: Readonly<Record<(typeof shapeParts)[number], string>> = {
  image: 'another image',
  policy: 'another policy',
  limits: 'other limits',
  workspace: 'another path of the workspace',
  pod: 'other pods',
};

function partsIn(text = '{}'): Partial<PoolShape> {
  try {
    const parts: unknown = JSON.parse(text);
    return typeof parts === 'object' && parts !== null ? parts : {};
  } catch {
    return {};
  }
}
