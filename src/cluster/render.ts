import { boxPolicies } from './box-policy.ts';
import { checkWords } from './check-words.ts';
import {
  commandContainer,
  courierContainer,
  entranceWords,
  homesContainer,
  policyData,
  rulesContainer,
  shownPorts,
  supervisorContainer,
} from './containers.ts';
import { commandUser, runtimeClassFor } from './hold-in-cluster.ts';
import { networkRules } from './network-policy.ts';
import { refuseParts } from './refuse-parts.ts';
import type { ClusterRequest, Labels, KubernetesObject } from './types.ts';

/**
 * Pure: equal requests give equal manifests. Throws `HF_USAGE` for words that a manifest cannot hold, and
 * `HF_GUARANTEE_MISSING` for guarantees that a cluster cannot hold.
 */
export function renderCluster(request: ClusterRequest): readonly KubernetesObject[] {
  checkedRequest(request);
  const spec = podSpecOf(request);
  const rules = networkRules(request.plan.network);
  return [
    ...policyObjects(request),
    {
      ...object(request, 'networking.k8s.io/v1', 'NetworkPolicy'),
      spec: { podSelector: { matchLabels: runLabels(request) }, policyTypes: ['Ingress', 'Egress'], ...rules },
    },
    podObject(request, { metadata: podMetadata(request), spec }),
  ];
}

/** Throws `HF_USAGE` and `HF_GUARANTEE_MISSING`, as `renderCluster` does. */
export function checkedRequest(request: ClusterRequest): void {
  checkWords(request);
  refuseParts(request);
}

function podObject(
  request: ClusterRequest,
  podTemplate: { readonly metadata: object; readonly spec: object },
): KubernetesObject {
  if (request.kind === 'sandbox')
    return {
      ...object(request, `agents.x-k8s.io/${request.agentSandbox}`, 'Sandbox'),
      spec: { podTemplate, ...expiry(request) },
    };
  const pod = object(request, 'v1', 'Pod');
  return { ...pod, metadata: { ...pod.metadata, ...podTemplate.metadata }, spec: podTemplate.spec };
}

function podMetadata(request: ClusterRequest): { readonly labels: Labels; readonly annotations?: Labels } {
  if (request.run === undefined) return { labels: runLabels(request) };
  const words = JSON.stringify(entranceWords(request));
  const annotations = { ...annotationsOfRun(request), ...forwardAnnotation(shownPorts(request)) };
  return { labels: runLabels(request), annotations: { ...annotations, 'holdfast.dev/entrance': words } };
}

/** Ports of a run, for a later client. */
export function forwardAnnotation(shown: readonly string[]): Labels {
  return shown.length === 0 ? {} : { 'holdfast.dev/forward': JSON.stringify(shown) };
}

function expiry({ run }: ClusterRequest): object {
  if (run?.expires === undefined) return {};
  return { shutdownTime: kubernetesTime(run.expires), shutdownPolicy: 'Delete' };
}

/** RFC 3339 with seconds, as Kubernetes writes it. */
export function kubernetesTime(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/u, 'Z');
}

export function policyObjects(request: ClusterRequest): readonly KubernetesObject[] {
  const data = policyData(request);
  if (Object.keys(data).length === 0) return [];
  return [{ ...object(request, 'v1', 'ConfigMap'), data }];
}

export function podSpecOf(request: ClusterRequest): object {
  const { plan } = request;
  const { wall, grace } = plan.limits;
  const runtimeClassName = runtimeClassFor(plan, request.runtimeClass);
  const open = plan.network.kind === 'names';
  const first = [
    ...(boxPolicies(request).length === 0 ? [] : [homesContainer(request)]),
    ...(open ? [rulesContainer(request), supervisorContainer(request)] : []),
  ];
  return {
    ...(runtimeClassName === undefined ? {} : { runtimeClassName }),
    restartPolicy: 'Never',
    // The wait does not count as a run: the launcher holds the limit for a later command.
    ...(wall === undefined || request.waits !== undefined
      ? {}
      : { activeDeadlineSeconds: Math.max(1, Math.ceil(wall / 1000)) + (request.run === undefined ? 0 : journeys) }),
    terminationGracePeriodSeconds: Math.ceil(grace / 1000) + 5,
    hostUsers: false,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, fsGroup: commandUser, runAsGroup: commandUser },
    ...(first.length === 0 ? {} : { initContainers: first }),
    containers: [commandContainer(request), ...(hasClient(request) ? [courierContainer(request)] : [])],
    volumes: volumes(request),
  };
}

function hasClient({ run, waits }: ClusterRequest): boolean {
  return run !== undefined || waits !== undefined;
}

/** Seconds for both transfers of the workspace. The launcher holds the limit of the command itself. */
const journeys = 3600;

function volumes(request: ClusterRequest): readonly object[] {
  const { plan, name, waits } = request;
  const size = plan.limits.privateDisk;
  const memory = { medium: 'Memory', sizeLimit: '1Mi' };
  return [
    { name: 'home', emptyDir: { sizeLimit: '1Gi' } },
    { name: 'workspace', emptyDir: { sizeLimit: '10Gi' } },
    { name: 'tmp', emptyDir: size === undefined ? {} : { sizeLimit: String(Math.trunc(size)) } },
    ...(waits === undefined ? [] : [{ name: 'turn', emptyDir: memory }]),
    ...(plan.network.kind === 'names'
      ? [
          { name: 'way', emptyDir: memory },
          { name: 'supervisor-home', emptyDir: { sizeLimit: '512Mi' } },
          { name: 'supervisor-workspace', emptyDir: memory },
          { name: 'supervisor-tmp', emptyDir: { sizeLimit: '64Mi' } },
        ]
      : []),
    ...(boxPolicies(request).length === 0 ? [] : [{ name: 'policy', configMap: { name, defaultMode: 0o444 } }]),
  ];
}

function object(request: ClusterRequest, apiVersion: string, kind: string): KubernetesObject {
  const { name, namespace, run } = request;
  const annotations = run === undefined ? {} : { annotations: annotationsOfRun(request) };
  return { apiVersion, kind, metadata: { name, namespace, labels: runLabels(request), ...annotations } };
}

export function annotationsOfRun({ run }: Pick<ClusterRequest, 'run'>): Labels {
  return run === undefined ? {} : { 'holdfast.dev/run': run.id };
}

export function runLabels({ name }: Pick<ClusterRequest, 'name'>): Labels {
  return { 'app.kubernetes.io/managed-by': 'holdfast', 'holdfast.dev/sandbox': name };
}
