import { createHash } from 'node:crypto';
import { type ClusterRequest, poolParts, type PoolShape, shapeParts } from '../../index.ts';

/** The shape of a pool that fits a run. Its name and the command do not count. */
export function poolShape(request: ClusterRequest): PoolShape {
  const { image, policy, limits, workspace, pod } = poolParts(request);
  return {
    image: digest(image),
    policy: digest(policy),
    limits: digest(limits),
    workspace: digest(workspace),
    pod: digest(pod),
  };
}

/** One word for a shape: the value of a label. */
export function shapeId(shape: PoolShape): string {
  return digest(shapeParts.map((part) => shape[part]));
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
