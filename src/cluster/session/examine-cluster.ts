import { isHoldfastError } from '../../errors/index.ts';
import { listIn, callFor, callIfThere } from '../../kube/index.ts';
import { type ClusterRequest, type KubernetesObject, renderClaim, renderCluster, shownPorts } from '../index.ts';
import { makeObject } from './cluster-objects.ts';
import type { ClusterConnection } from './connection.ts';
import { namespaceLabels } from './find-sandbox.ts';
import { missingRights } from './missing-rights.ts';
import { insistPool } from './pools/fitting-pool.ts';
import { listPools } from './pools/manage-pools.ts';
import { liveRequest } from './start-run.ts';

/** One line about the features of a cluster. */
export interface ClusterFinding {
  readonly subject:
    | 'server'
    | 'rights'
    | 'runtime-classes'
    | 'agent-sandbox'
    | 'pool'
    | 'namespace'
    | 'admission'
    | 'network-policy';
  /** `held`: asked or tried. `missing`: a run needs it. `unknown`: nobody could look. */
  readonly state: 'held' | 'missing' | 'unknown';
  readonly told: string;
  /** Of `missing`. */
  readonly remedy?: string;
}

export interface ClusterExamination {
  readonly server: string;
  readonly context: string;
  readonly namespace: string;
  readonly findings: readonly ClusterFinding[];
}

/**
 * Asks an API server for its offer to `request`, and has it admit each object without making it (`dryRun`). Throws
 * `HF_CLUSTER_UNREACHABLE`, and `HF_CLUSTER_REFUSED` for credentials that it does not accept.
 */
export async function examineCluster(
  connection: ClusterConnection,
  request: ClusterRequest,
): Promise<ClusterExamination> {
  const { access } = connection.target;
  const findings = [
    await serverVersion(connection),
    ...(await rights(connection, request)),
    ...(request.pool === undefined
      ? [
          await askedOr(connection, 'runtime-classes', () => runtimeClasses(connection, request)),
          await askedOr(connection, 'agent-sandbox', () => agentSandbox(connection, request)),
        ]
      : [await fittingPool(connection, request.pool, request)]),
    await askedOr(connection, 'namespace', () => podSecurity(connection)),
    ...(await admission(connection, request)),
    networkPolicy,
  ];
  return { server: access.server.origin, context: access.context, namespace: connection.namespace, findings };
}

/** Only a pod that tries to get out could tell. */
const networkPolicy: ClusterFinding = {
  subject: 'network-policy',
  state: 'unknown',
  told: 'whether the network plug-in enforces NetworkPolicy was not tried; the packet rules in the pod do not need it',
};

const held = (subject: ClusterFinding['subject'], told: string): ClusterFinding => ({ subject, state: 'held', told });
const missing = (subject: ClusterFinding['subject'], told: string, remedy: string): ClusterFinding => ({
  subject,
  state: 'missing',
  told,
  remedy,
});

/** User namespaces of pods are on by default from here, and streams over WebSockets from 1.30. */
const leastMinor = 33;

async function serverVersion({ target }: ClusterConnection): Promise<ClusterFinding> {
  const { major, minor, gitVersion } = await callFor(
    { method: 'GET', path: '/version', doing: 'tell its version' },
    target,
  );
  const version = typeof gitVersion === 'string' ? gitVersion.slice(0, 40) : 'of no version';
  const [first, second] = [Number.parseInt(String(major), 10), Number.parseInt(String(minor), 10)];
  if (first > 1 || (first === 1 && second >= leastMinor)) return held('server', `Kubernetes ${version}`);
  return missing(
    'server',
    `Kubernetes ${version}`,
    `use Kubernetes 1.${leastMinor} or later: pods have user namespaces there`,
  );
}

async function rights(connection: ClusterConnection, request: ClusterRequest): Promise<readonly ClusterFinding[]> {
  const lacking = await missingRights(connection, request);
  if (lacking.length === 0) return [held('rights', 'this user has every right that a run needs')];
  return lacking.map(({ verb, resource }) =>
    missing(
      'rights',
      `this user may not ${verb} ${resource}`,
      `ask for a role with the verb "${verb}" on "${resource}"`,
    ),
  );
}

/** Without the permission to ask, the fact is unknown, which is no failure of a run. */
async function askedOr(
  { target }: ClusterConnection,
  subject: ClusterFinding['subject'],
  ask: () => Promise<ClusterFinding>,
): Promise<ClusterFinding> {
  try {
    return await ask();
  } catch (error) {
    if (target.signal.aborted || !isHoldfastError(error) || error.code !== 'HF_CLUSTER_REFUSED') throw error;
    return { subject, state: 'unknown', told: error.message };
  }
}

async function runtimeClasses({ target }: ClusterConnection, request: ClusterRequest): Promise<ClusterFinding> {
  const call = { method: 'GET', path: '/apis/node.k8s.io/v1/runtimeclasses', doing: 'list runtimeclasses' } as const;
  const names = listIn(await callFor(call, target)).items.map(({ metadata: { name } }) => name);
  const [wanted] = renderCluster({ ...request, kind: 'pod' }).flatMap(runtimeClassOf);
  if (wanted !== undefined && !names.includes(wanted))
    return missing(
      'runtime-classes',
      `the policy needs the RuntimeClass ${JSON.stringify(wanted)}, and the cluster has ${listed(names)}`,
      'name one of the cluster with --runtime-class, or require less in the policy',
    );
  return held('runtime-classes', `${listed(names)}${wanted === undefined ? '; the policy needs none' : ''}`);
}

function runtimeClassOf({ kind, spec }: KubernetesObject): readonly string[] {
  const name = kind === 'Pod' ? (spec as { readonly runtimeClassName?: string }).runtimeClassName : undefined;
  return name === undefined ? [] : [name];
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.slice(0, 20).join(', ').slice(0, 300);
}

async function agentSandbox({ target }: ClusterConnection, { kind }: ClusterRequest): Promise<ClusterFinding> {
  const group = await callIfThere(
    { method: 'GET', path: '/apis/agents.x-k8s.io', doing: 'tell the versions of agent-sandbox' },
    target,
  );
  const versions = ((group?.['versions'] ?? []) as readonly { readonly version?: string }[]).map(
    ({ version = '' }) => version,
  );
  if (versions.includes('v1alpha1')) return held('agent-sandbox', `agents.x-k8s.io ${listed(versions)}`);
  const told =
    group === undefined ? 'agent-sandbox is not installed' : `agent-sandbox has ${listed(versions)}, not v1alpha1`;
  return kind === 'sandbox'
    ? missing('agent-sandbox', told, 'install it, or use --kind pod')
    : held('agent-sandbox', `${told}; a pod needs none`);
}

async function fittingPool(
  connection: ClusterConnection,
  name: string,
  request: ClusterRequest,
): Promise<ClusterFinding> {
  try {
    await insistPool(connection, name, request);
    const pool = (await listPools(connection)).find((each) => each.name === name);
    return held('pool', `${JSON.stringify(name)} fits; ${pool?.ready ?? 0} of ${pool?.size ?? 0} sandboxes wait`);
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== 'HF_CLUSTER_REFUSED') throw error;
    return missing('pool', error.message, error.remedy);
  }
}

async function podSecurity(connection: ClusterConnection): Promise<ClusterFinding> {
  const labels = await namespaceLabels(connection);
  const name = JSON.stringify(connection.namespace);
  if (labels === undefined)
    return missing('namespace', `there is no namespace ${name}`, 'make it, or name another with --namespace');
  const level = labels['pod-security.kubernetes.io/enforce'];
  if (level === undefined || level === 'privileged')
    return held(
      'namespace',
      `${name} enforces ${level === undefined ? 'no Pod Security Standard of its own' : '"privileged"'}`,
    );
  return missing(
    'namespace',
    `${name} enforces the Pod Security Standard ${JSON.stringify(level)}`,
    'use a namespace that enforces "privileged", because the launcher needs rights that the standard refuses',
  );
}

/** Nothing is made: the API server goes through admission and stops. */
async function admission(connection: ClusterConnection, request: ClusterRequest): Promise<readonly ClusterFinding[]> {
  const probe = liveRequest(request, { onOutput: () => undefined, onNotice: () => undefined });
  const findings: ClusterFinding[] = [];
  const { name, namespace, pool } = request;
  const manifests =
    pool === undefined
      ? renderCluster(probe)
      : [
          renderClaim({
            name,
            namespace,
            pool,
            run: probe.run?.id ?? '',
            expires: probe.run?.expires ?? 0,
            shown: shownPorts(request),
          }),
        ];
  for (const manifest of manifests) {
    try {
      await makeObject(manifest, connection.target, 'dry-run');
      findings.push(held('admission', `the ${manifest.kind} was admitted in a dry run`));
    } catch (error) {
      if (!isHoldfastError(error) || error.code !== 'HF_CLUSTER_REFUSED') throw error;
      findings.push(missing('admission', error.message, error.remedy));
    }
  }
  return findings;
}
