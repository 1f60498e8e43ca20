import { isHoldfastError } from '../../errors/index.ts';
import { agentSandboxVersions, listIn, callFor } from '../../kube/index.ts';
import { type ClusterRequest, type KubernetesObject, renderClaim, renderCluster, shownPorts } from '../index.ts';
import { sandboxVersions } from './ask-version.ts';
import { makeObject } from './cluster-objects.ts';
import type { ClusterConnection } from './connection.ts';
import { namespaceLabels } from './find-sandbox.ts';
import {
  type ClusterExamination,
  type ClusterFinding,
  heldFinding,
  missingFinding,
  unknownFinding,
} from './findings.ts';
import { missingRights } from './missing-rights.ts';
import { insistPool } from './pools/fitting-pool.ts';
import { listPools } from './pools/manage-pools.ts';
import { liveRequest } from './start-run.ts';

/**
 * Asks an API server for its features for `request`, and has it admit each object without making it (`dryRun`). Throws
 * `HF_CLUSTER_UNREACHABLE`, and `HF_CLUSTER_REFUSED` for credentials that it rejects.
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
    unknownFinding('network-policy', untried),
  ];
  return { server: access.server.origin, context: access.context, namespace: connection.namespace, findings };
}

const untried =
  'no pod tried whether the network plug-in enforces NetworkPolicy: --prove does; the packet rules in the pod do not need it';

/** User namespaces of pods are on by default from this version, and streams over WebSockets from 1.30. */
const leastMinor = 33;

async function serverVersion({ target }: ClusterConnection): Promise<ClusterFinding> {
  const { major, minor, gitVersion } = await callFor(
    { method: 'GET', path: '/version', doing: 'tell its version' },
    target,
  );
  const version = typeof gitVersion === 'string' ? gitVersion.slice(0, 40) : 'of no version';
  const [first, second] = [Number.parseInt(String(major), 10), Number.parseInt(String(minor), 10)];
  if (first > 1 || (first === 1 && second >= leastMinor)) return heldFinding('server', `Kubernetes ${version}`);
  return missingFinding(
    'server',
    `Kubernetes ${version}`,
    `use Kubernetes 1.${leastMinor} or later: pods have user namespaces there`,
  );
}

async function rights(connection: ClusterConnection, request: ClusterRequest): Promise<readonly ClusterFinding[]> {
  const lacking = await missingRights(connection, request);
  if (lacking.length === 0) return [heldFinding('rights', 'this user has every right that a run needs')];
  return lacking.map(({ verb, resource }) =>
    missingFinding(
      'rights',
      `this user may not ${verb} ${resource}`,
      `ask for a role with the verb "${verb}" on "${resource}"`,
    ),
  );
}

/** Without the permission to ask, the fact is unknown, and a run does not fail for it. */
async function askedOr(
  { target }: ClusterConnection,
  subject: ClusterFinding['subject'],
  ask: () => Promise<ClusterFinding>,
): Promise<ClusterFinding> {
  try {
    return await ask();
  } catch (error) {
    if (target.signal.aborted || !isHoldfastError(error) || error.code !== 'HF_CLUSTER_REFUSED') throw error;
    return unknownFinding(subject, error.message);
  }
}

async function runtimeClasses({ target }: ClusterConnection, request: ClusterRequest): Promise<ClusterFinding> {
  const call = { method: 'GET', path: '/apis/node.k8s.io/v1/runtimeclasses', doing: 'list runtimeclasses' } as const;
  const names = listIn(await callFor(call, target)).items.map(({ metadata: { name } }) => name);
  const [wanted] = renderCluster({ ...request, kind: 'pod' }).flatMap(runtimeClassOf);
  if (wanted !== undefined && !names.includes(wanted))
    return missingFinding(
      'runtime-classes',
      `the policy needs the RuntimeClass ${JSON.stringify(wanted)}, and the cluster has ${listed(names)}`,
      'name one of the cluster with --runtime-class, or require less in the policy',
    );
  return heldFinding('runtime-classes', `${listed(names)}${wanted === undefined ? '; the policy needs none' : ''}`);
}

function runtimeClassOf({ kind, spec }: KubernetesObject): readonly string[] {
  const name = kind === 'Pod' ? (spec as { readonly runtimeClassName?: string }).runtimeClassName : undefined;
  return name === undefined ? [] : [name];
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.slice(0, 20).join(', ').slice(0, 300);
}

async function agentSandbox(connection: ClusterConnection, { kind }: ClusterRequest): Promise<ClusterFinding> {
  const versions = await sandboxVersions(connection);
  const used = agentSandboxVersions.find((version) => versions?.includes(version));
  if (versions !== undefined && used !== undefined)
    return heldFinding('agent-sandbox', `agents.x-k8s.io ${listed(versions)}; runs use ${used}`);
  const known = agentSandboxVersions.join(' and ');
  const told =
    versions === undefined ? 'agent-sandbox is not installed' : `agent-sandbox has ${listed(versions)}, not ${known}`;
  return kind === 'sandbox'
    ? missingFinding('agent-sandbox', told, 'install it, or use --kind pod')
    : heldFinding('agent-sandbox', `${told}; a pod needs none`);
}

async function fittingPool(
  connection: ClusterConnection,
  name: string,
  request: ClusterRequest,
): Promise<ClusterFinding> {
  try {
    await insistPool(connection, name, request);
    const pool = (await listPools(connection)).find((each) => each.name === name);
    return heldFinding(
      'pool',
      `${JSON.stringify(name)} fits; ${pool?.ready ?? 0} of ${pool?.size ?? 0} sandboxes wait`,
    );
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== 'HF_CLUSTER_REFUSED') throw error;
    return missingFinding('pool', error.message, error.remedy);
  }
}

async function podSecurity(connection: ClusterConnection): Promise<ClusterFinding> {
  const labels = await namespaceLabels(connection);
  const name = JSON.stringify(connection.namespace);
  if (labels === undefined)
    return missingFinding('namespace', `there is no namespace ${name}`, 'make it, or name another with --namespace');
  const level = labels['pod-security.kubernetes.io/enforce'];
  if (level === undefined || level === 'privileged')
    return heldFinding(
      'namespace',
      `${name} enforces ${level === undefined ? 'no Pod Security Standard of its own' : '"privileged"'}`,
    );
  return missingFinding(
    'namespace',
    `${name} enforces the Pod Security Standard ${JSON.stringify(level)}`,
    'use a namespace that enforces "privileged", because the launcher needs rights that the standard refuses',
  );
}

/** Makes no object: the API server runs the admission and stops. */
async function admission(connection: ClusterConnection, request: ClusterRequest): Promise<readonly ClusterFinding[]> {
  const probe = liveRequest(connection, request, { onOutput: () => undefined, onNotice: () => undefined });
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
            agentSandbox: request.agentSandbox,
          }),
        ];
  for (const manifest of manifests) {
    try {
      await makeObject(manifest, connection.target, 'dry-run');
      findings.push(heldFinding('admission', `the ${manifest.kind} was admitted in a dry run`));
    } catch (error) {
      if (!isHoldfastError(error) || error.code !== 'HF_CLUSTER_REFUSED') throw error;
      findings.push(missingFinding('admission', error.message, error.remedy));
    }
  }
  return findings;
}
