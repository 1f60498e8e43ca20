import { callFor, type KubeKind, rbacRule } from '../../kube/index.ts';
import { type ClusterKind, type ClusterRequest, shownPorts } from '../index.ts';
import type { ClusterConnection } from './connection.ts';

/** A rule of RBAC. */
export interface ClusterRight {
  readonly verb: string;
  /** As `pods/exec` or `sandboxes.agents.x-k8s.io`. */
  readonly resource: string;
}

interface Asked {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
}

/** Returns the rights that a run needs and this user lacks, according to the API server. */
export async function missingRights(
  { target, namespace }: ClusterConnection,
  { kind, pool, plan }: Pick<ClusterRequest, 'kind' | 'pool' | 'plan'>,
): Promise<readonly ClusterRight[]> {
  const objects = pool === undefined ? rightsOfObjects(kind) : rightsOfClaims;
  const asked = shownPorts({ plan }).length === 0 ? objects : [...objects, ...rightsToStreams('portforward')];
  const allowed: boolean[] = [];
  for (const right of asked) {
    const answer = await callFor(
      {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        doing: 'list the rights of this user',
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: { resourceAttributes: { namespace, ...right } },
        },
      },
      target,
    );
    allowed.push((answer['status'] as { readonly allowed?: unknown } | undefined)?.allowed === true);
  }
  return asked.flatMap((right, index) => (allowed[index] === true ? [] : [worded(right)]));
}

function rightsOfObjects(kind: ClusterKind): readonly Asked[] {
  const workload: KubeKind = kind === 'pod' ? 'Pod' : 'Sandbox';
  const verbs = ['create', 'get', 'list', 'delete'];
  // A run never changes a pod. The others get an owner, or a new time of expiry.
  const made = (['ConfigMap', 'NetworkPolicy', workload] as const).flatMap((each) =>
    rightsTo(each === 'Pod' ? verbs : [...verbs, 'patch'], each),
  );
  return distinct([...made, ...rightsInPods]);
}

const rightsTo = (verbs: readonly string[], kind: KubeKind): readonly Asked[] =>
  verbs.map((verb) => ({ verb, ...rbacRule(kind) }));

const rightsInPods: readonly Asked[] = [
  ...rightsTo(['list', 'watch'], 'Pod'),
  ...['exec', 'attach'].flatMap(rightsToStreams),
  { verb: 'get', ...rbacRule('Pod'), subresource: 'log' },
];

/** A pool has the other objects. */
const rightsOfClaims: readonly Asked[] = [
  ...rightsTo(['create', 'get', 'list', 'watch', 'patch', 'delete'], 'SandboxClaim'),
  ...rightsTo(['get'], 'SandboxTemplate'),
  ...rightsTo(['get'], 'Sandbox'),
  ...rightsTo(['get'], 'Pod'),
  ...rightsInPods,
];

/** Depending on their version, servers ask for `get` or for `create` for streams over WebSockets. */
function rightsToStreams(subresource: string): readonly Asked[] {
  return rightsTo(['get', 'create'], 'Pod').map((right) => ({ ...right, subresource }));
}

function distinct(rights: readonly Asked[]): readonly Asked[] {
  return [...new Map(rights.map((right) => [JSON.stringify(right), right])).values()];
}

function worded({ verb, group, resource, subresource }: Asked): ClusterRight {
  const part = subresource === undefined ? resource : `${resource}/${subresource}`;
  return { verb, resource: group === '' ? part : `${part}.${group}` };
}
