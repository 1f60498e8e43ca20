/**
 * The cluster room: `plan + policy texts + command → Kubernetes manifests`, as a pure function over data.
 *
 * A cluster's own parts hold the container. Holdfast's launcher makes the box again inside it, from the same policy.
 * Each part of the plan is a field of a manifest, work of that launcher, or refused by name. No code here may talk to a
 * cluster, read a file or know the value of a secret.
 */
export { boxAsks, supervisorAsks, trustDirectory } from './box-policy.ts';
export { shownPorts, turnEnd, turnSignal, turnWords } from './containers.ts';
export { type ProbePods, probePods, probePort } from './probe-pods.ts';
export { checkedRequest, kubernetesTime, renderCluster } from './render.ts';
export {
  poolLabel,
  poolParts,
  type PoolShape,
  renderClaim,
  renderPool,
  shapeLabel,
  shapeParts,
} from './render-pool.ts';
export type {
  PodCredential,
  ClusterKind,
  ClusterRequest,
  KubernetesObject,
  SandboxVersion,
  SecretReference,
} from './types.ts';
export { ownNetworks } from './network-policy.ts';
export { manifestsYaml } from './yaml.ts';
