import { checkPool } from './check-words.ts';
import { entranceWords } from './containers.ts';
import { networkRules } from './network-policy.ts';
import { checkedRequest, forwardAnnotation, kubernetesTime, podSpecOf, policyObjects } from './render.ts';
import type { ClusterRequest, KubernetesObject, SandboxVersion } from './types.ts';

const extensions = 'extensions.agents.x-k8s.io';
export const poolLabel = 'holdfast.dev/pool';
export const shapeLabel = 'holdfast.dev/shape';
export const shapeParts = ['image', 'policy', 'limits', 'workspace', 'pod'] as const;

/** Hashes of the common parts of all pods in a pool. The command is not among them. */
export type PoolShape = Readonly<Record<(typeof shapeParts)[number], string>>;

export interface PoolFacts {
  /** Waiting sandboxes. */
  readonly replicas: number;
  readonly shape: PoolShape;
  /** One word for the shape. */
  readonly id: string;
}

/**
 * The objects of a pool with idle pods. Their command comes by `exec`, after a claim has taken a pod over. Pure. Throws
 * as `renderCluster` does.
 */
export function renderPool(asked: ClusterRequest, { replicas, shape, id }: PoolFacts): readonly KubernetesObject[] {
  checkPool(asked.name, replicas);
  const request = waiting(asked);
  checkedRequest(request);
  const { name } = request;
  const version = `${extensions}/${request.agentSandbox}`;
  const metadata = {
    labels: { ...managed, [poolLabel]: name, [shapeLabel]: id },
    annotations: { 'holdfast.dev/run': id },
  };
  const rules = networkRules(request.plan.network);
  const make = (apiVersion: string, kind: string, spec: object): KubernetesObject => ({
    apiVersion,
    kind,
    metadata: { name, namespace: request.namespace, ...metadata },
    spec,
  });
  const selected = { matchLabels: { ...managed, [poolLabel]: name } };
  const annotations = { 'holdfast.dev/entrance': JSON.stringify(entranceWords(request)) };
  const podTemplate = { metadata: { labels: metadata.labels, annotations }, spec: podSpecOf(request) };
  const template = make(version, 'SandboxTemplate', { podTemplate, networkPolicy: rules });
  return [
    ...policyObjects(request).map((object) => ({ ...object, metadata: { ...object.metadata, ...metadata } })),
    make('networking.k8s.io/v1', 'NetworkPolicy', {
      podSelector: selected,
      policyTypes: ['Ingress', 'Egress'],
      ...rules,
    }),
    {
      ...template,
      metadata: {
        ...template.metadata,
        annotations: { ...metadata.annotations, 'holdfast.dev/shape-parts': JSON.stringify(shape) },
      },
    },
    make(version, 'SandboxWarmPool', { replicas, sandboxTemplateRef: { name } }),
  ];
}

export interface ClaimRequest {
  readonly name: string;
  readonly namespace: string;
  /** Name of the pool, and of its template. */
  readonly pool: string;
  /** ID of the run. */
  readonly run: string;
  /** The claim and its pod are removed at this time, unless the client moves it. Milliseconds since 1970. */
  readonly expires: number;
  /** Ports of the box, as `9000:8080`. */
  readonly shown: readonly string[];
  readonly agentSandbox: SandboxVersion;
}

/** A claim on one sandbox of a pool. Its end or expiry removes everything of the run. */
export function renderClaim({
  name,
  namespace,
  pool,
  run,
  expires,
  shown,
  agentSandbox,
}: ClaimRequest): KubernetesObject {
  return {
    apiVersion: `${extensions}/${agentSandbox}`,
    kind: 'SandboxClaim',
    metadata: {
      name,
      namespace,
      labels: { ...managed, 'holdfast.dev/sandbox': name, [poolLabel]: pool },
      annotations: { 'holdfast.dev/run': run, ...forwardAnnotation(shown) },
    },
    spec: {
      ...(agentSandbox === 'v1beta1'
        ? { warmPoolRef: { name: pool } }
        : { sandboxTemplateRef: { name: pool }, warmpool: pool }),
      lifecycle: { shutdownTime: kubernetesTime(expires), shutdownPolicy: 'Delete' },
    },
  };
}

const managed = { 'app.kubernetes.io/managed-by': 'holdfast' } as const;

/** The common parts of all pods of a pool: equal parts give equal pods. */
export function poolParts(request: ClusterRequest): Readonly<Record<(typeof shapeParts)[number], unknown>> {
  const { image, policies, options, plan, workspace, home } = request;
  const { wall, grace } = plan.limits;
  const pod = podSpecOf({ ...waiting(request), name: 'pool' }) as { readonly containers: readonly object[] };
  const limits = pod.containers.map((container) => (container as { readonly resources?: object }).resources);
  return {
    image,
    policy: [policies, options, networkRules(plan.network)],
    limits: [limits, wall, grace],
    workspace: [workspace, home],
    pod,
  };
}

function waiting(request: ClusterRequest): ClusterRequest {
  const { run: _run, pool: _pool, ...shared } = request;
  return { ...shared, kind: 'sandbox', waits: 'for-claims' };
}
