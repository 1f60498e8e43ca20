import { checkWords } from './check-words.ts';
import { commandContainer, rulesContainer, supervisorContainer } from './containers.ts';
import { commandUser, runtimeClassFor } from './hold-in-cluster.ts';
import { networkRules } from './network-policy.ts';
import { refuseParts } from './refuse-parts.ts';
import type { ClusterRequest, Labels, KubernetesObject } from './types.ts';

const core = 'agents.x-k8s.io/v1alpha1';
const extensions = 'extensions.agents.x-k8s.io/v1alpha1';

/**
 * Pure: equal requests give equal manifests. Throws `HF_USAGE` for words that a manifest cannot hold, and
 * `HF_GUARANTEE_MISSING` for what a cluster cannot.
 */
export function renderCluster(request: ClusterRequest): readonly KubernetesObject[] {
  checkWords(request);
  refuseParts(request);
  const spec = podSpec(request);
  const rules = networkRules(request.plan.network);
  return [
    ...policyObjects(request),
    {
      ...object(request, 'networking.k8s.io/v1', 'NetworkPolicy'),
      spec: { podSelector: { matchLabels: labels(request) }, policyTypes: ['Ingress', 'Egress'], ...rules },
    },
    ...podObjects(request, { metadata: { labels: labels(request) }, spec }, rules),
  ];
}

function podObjects(
  request: ClusterRequest,
  podTemplate: { readonly metadata: object; readonly spec: object },
  rules: object,
): readonly KubernetesObject[] {
  const { pool, delivery, kind, name } = request;
  if (kind === 'pod') return [{ ...object(request, 'v1', 'Pod'), spec: podTemplate.spec }];
  if (delivery === 'direct' && pool === undefined)
    return [{ ...object(request, core, 'Sandbox'), spec: { podTemplate } }];
  return [
    { ...object(request, extensions, 'SandboxTemplate'), spec: { podTemplate, networkPolicy: rules } },
    ...(pool === undefined
      ? []
      : [
          {
            ...object(request, extensions, 'SandboxWarmPool'),
            spec: { replicas: pool, sandboxTemplateRef: { name } },
          },
        ]),
    ...(delivery === 'claim'
      ? [{ ...object(request, extensions, 'SandboxClaim'), spec: { sandboxTemplateRef: { name } } }]
      : []),
  ];
}

function policyObjects(request: ClusterRequest): readonly KubernetesObject[] {
  if (request.policies.length === 0) return [];
  const data = Object.fromEntries(request.policies.map(({ kind, text }) => [`${kind}.toml`, text]));
  return [{ ...object(request, 'v1', 'ConfigMap'), data }];
}

function podSpec(request: ClusterRequest): object {
  const { plan } = request;
  const { wall, grace } = plan.limits;
  const runtimeClassName = runtimeClassFor(plan, request.runtimeClass);
  const open = plan.network.kind === 'names';
  return {
    ...(runtimeClassName === undefined ? {} : { runtimeClassName }),
    restartPolicy: 'Never',
    ...(wall === undefined ? {} : { activeDeadlineSeconds: Math.max(1, Math.ceil(wall / 1000)) }),
    terminationGracePeriodSeconds: Math.ceil(grace / 1000) + 5,
    hostUsers: false,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, fsGroup: commandUser, runAsGroup: commandUser },
    ...(open ? { initContainers: [rulesContainer(request), supervisorContainer(request)] } : {}),
    containers: [commandContainer(request)],
    volumes: volumes(request),
  };
}

function volumes({ plan, name, policies }: ClusterRequest): readonly object[] {
  const size = plan.limits.privateDisk;
  const memory = { medium: 'Memory', sizeLimit: '1Mi' };
  return [
    { name: 'home', emptyDir: { sizeLimit: '1Gi' } },
    { name: 'workspace', emptyDir: { sizeLimit: '10Gi' } },
    { name: 'tmp', emptyDir: size === undefined ? {} : { sizeLimit: String(Math.trunc(size)) } },
    ...(plan.network.kind === 'names'
      ? [
          { name: 'way', emptyDir: memory },
          { name: 'supervisor-home', emptyDir: { sizeLimit: '512Mi' } },
          { name: 'supervisor-workspace', emptyDir: memory },
          { name: 'supervisor-tmp', emptyDir: { sizeLimit: '64Mi' } },
        ]
      : []),
    ...(policies.length === 0 ? [] : [{ name: 'policy', configMap: { name, defaultMode: 0o444 } }]),
  ];
}

function object(request: ClusterRequest, apiVersion: string, kind: string): KubernetesObject {
  return { apiVersion, kind, metadata: { name: request.name, namespace: request.namespace, labels: labels(request) } };
}

function labels({ name }: ClusterRequest): Labels {
  return { 'app.kubernetes.io/managed-by': 'holdfast', 'holdfast.dev/sandbox': name };
}
