/** Versions of kubernetes-sigs/agent-sandbox that this client speaks, the newest first. */
export const agentSandboxVersions = ['v1beta1', 'v1alpha1'] as const;
export type AgentSandboxVersion = (typeof agentSandboxVersions)[number];

/** Kinds of objects that this client makes, and their places in the API. */
const resources = {
  Pod: { base: '/api/v1', plural: 'pods' },
  ConfigMap: { base: '/api/v1', plural: 'configmaps' },
  NetworkPolicy: { base: '/apis/networking.k8s.io/v1', plural: 'networkpolicies' },
} as const;

/** Kinds with a version that the API server decides. */
const versioned = {
  Sandbox: { group: 'agents.x-k8s.io', plural: 'sandboxes' },
  SandboxTemplate: { group: 'extensions.agents.x-k8s.io', plural: 'sandboxtemplates' },
  SandboxClaim: { group: 'extensions.agents.x-k8s.io', plural: 'sandboxclaims' },
  SandboxWarmPool: { group: 'extensions.agents.x-k8s.io', plural: 'sandboxwarmpools' },
} as const;

type FixedKind = keyof typeof resources;
export type KubeKind = FixedKind | keyof typeof versioned;

/** Versions that an API server offers. */
export interface OfferedVersions {
  readonly agentSandbox: AgentSandboxVersion;
}

export function isKubeKind(kind: string): kind is KubeKind {
  return isFixed(kind) || Object.hasOwn(versioned, kind);
}

function isFixed(kind: string): kind is FixedKind {
  return Object.hasOwn(resources, kind);
}

export interface ObjectPlace<Kind extends KubeKind = KubeKind> {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name?: string;
  /** Such as `exec` or `log` of a pod. */
  readonly subresource?: string;
}

export function pathOf(place: ObjectPlace<FixedKind>): string;
export function pathOf(place: ObjectPlace, offered: OfferedVersions): string;
export function pathOf({ kind, namespace, name, subresource }: ObjectPlace, offered?: OfferedVersions): string {
  const { base, plural } = resourceOf(kind, offered);
  const parts = ['namespaces', namespace, plural, name, subresource].filter((part) => part !== undefined);
  return [base, ...parts.map(encodeURIComponent)].join('/');
}

function resourceOf(
  kind: KubeKind,
  { agentSandbox }: OfferedVersions = { agentSandbox: 'v1alpha1' },
): { readonly base: string; readonly plural: string } {
  if (isFixed(kind)) return resources[kind];
  const { group, plural } = versioned[kind];
  return { base: `/apis/${group}/${agentSandbox}`, plural };
}

/** API group and resource, as a rule of RBAC names them. */
export function rbacRule(kind: KubeKind): { readonly group: string; readonly resource: string } {
  const { base, plural } = resourceOf(kind);
  return { group: base === '/api/v1' ? '' : (base.split('/')[2] ?? ''), resource: plural };
}

/** As an owner reference names it. */
export function apiVersionOf(kind: KubeKind, offered: OfferedVersions): string {
  return resourceOf(kind, offered).base.replace(/^\/apis?\//u, '');
}
