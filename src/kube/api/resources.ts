/** Kinds of objects that this client makes, and where the API has them. */
const resources = {
  Pod: { base: '/api/v1', plural: 'pods' },
  ConfigMap: { base: '/api/v1', plural: 'configmaps' },
  NetworkPolicy: { base: '/apis/networking.k8s.io/v1', plural: 'networkpolicies' },
  Sandbox: { base: '/apis/agents.x-k8s.io/v1alpha1', plural: 'sandboxes' },
  SandboxTemplate: { base: '/apis/extensions.agents.x-k8s.io/v1alpha1', plural: 'sandboxtemplates' },
  SandboxClaim: { base: '/apis/extensions.agents.x-k8s.io/v1alpha1', plural: 'sandboxclaims' },
  SandboxWarmPool: { base: '/apis/extensions.agents.x-k8s.io/v1alpha1', plural: 'sandboxwarmpools' },
} as const;

export type KubeKind = keyof typeof resources;

export function isKubeKind(kind: string): kind is KubeKind {
  return Object.hasOwn(resources, kind);
}

export interface ObjectPlace {
  readonly kind: KubeKind;
  readonly namespace: string;
  readonly name?: string;
  /** As `exec` or `log` of a pod. */
  readonly subresource?: string;
}

export function pathOf({ kind, namespace, name, subresource }: ObjectPlace): string {
  const { base, plural } = resources[kind];
  const parts = ['namespaces', namespace, plural, name, subresource].filter((part) => part !== undefined);
  return [base, ...parts.map(encodeURIComponent)].join('/');
}

/** API group and resource, as a rule of RBAC names them. */
export function rbacRule(kind: KubeKind): { readonly group: string; readonly resource: string } {
  const { base, plural } = resources[kind];
  return { group: base === '/api/v1' ? '' : (base.split('/')[2] ?? ''), resource: plural };
}

/** As an owner reference names it. */
export function apiVersionOf(kind: KubeKind): string {
  return resources[kind].base.replace(/^\/apis?\//u, '');
}
