import { randomBytes } from 'node:crypto';
import { appendEvents } from '../../../audit/index.ts';
import { HoldfastError, isHoldfastError } from '../../../errors/index.ts';
import type { KubeObject } from '../../../kube/index.ts';
import { type ClusterRequest, probePods, renderCluster } from '../../index.ts';
import { undoRun } from '../clean-up.ts';
import type { ClusterConnection } from '../connection.ts';
import { type ClusterExamination, type ClusterFinding, missingFinding, unknownFinding } from '../findings.ts';
import { podStarted, usualWait } from '../own-way.ts';
import { liveRequest, makeAll, type Making, makeOne } from '../start-run.ts';
import { proveContainer } from './prove-container.ts';
import { addressOf, proveNetwork } from './prove-network.ts';

export interface ProofOptions {
  /** Milliseconds within which the probe pods have to run. Default: five minutes. */
  readonly wait?: number;
}

/**
 * Makes probe pods for facts that no API server reports, reads their results, and removes them. Makes no pod if an
 * examination found something missing. Throws if an object stays in the cluster, or after an interruption.
 */
export async function proveCluster(
  connection: ClusterConnection,
  { request, examination }: { readonly request: ClusterRequest; readonly examination: ClusterExamination },
  { wait = usualWait }: ProofOptions,
): Promise<ClusterExamination> {
  const asked = examination.findings.filter(({ subject }) => subject !== 'network-policy');
  const findings = asked.some(({ state }) => state === 'missing')
    ? [unknownFinding('network-policy', 'no pod was made: a run needs the missing parts first')]
    : await withPods(connection, ownRequest(connection, request), wait);
  return { ...examination, findings: [...asked, ...findings] };
}

/** Two proofs at a time have separate names. */
function ownRequest(connection: ClusterConnection, { pool: _pool, ...request }: ClusterRequest): ClusterRequest {
  const name = `${request.name}-${randomBytes(3).toString('hex')}`;
  return liveRequest(connection, { ...request, name }, { onOutput: () => undefined, onNotice: () => undefined });
}

async function withPods(
  connection: ClusterConnection,
  live: ClusterRequest,
  wait: number,
): Promise<readonly ClusterFinding[]> {
  const making: Making = { made: [], doubtful: undefined };
  const over = new HoldfastError('HF_CLUSTER_FAILED', 'the proof is over', { remedy: 'read its findings' });
  let ended: unknown = over;
  let findings: readonly ClusterFinding[] = [];
  journalProof(connection, live);
  try {
    findings = await orOneLine(connection, () => findingsOf(connection, { live, making, wait }));
  } catch (error) {
    ended = error;
  }
  const left = await undoRun(ended, { connection, name: live.name, ...making });
  if (left !== over) throw left;
  return findings;
}

/** Before any object: a change without an entry in the journal does not happen. */
function journalProof(
  { target, namespace, journal }: ClusterConnection,
  { workspace, name, run }: ClusterRequest,
): void {
  const server = target.access.server.origin;
  appendEvents(journal, [{ type: 'cluster.proof', workspace, run: run?.id ?? '', server, namespace, name }]);
}

interface Proof {
  readonly live: ClusterRequest;
  readonly making: Making;
  readonly wait: number;
}

async function findingsOf(
  connection: ClusterConnection,
  { live, making, wait }: Proof,
): Promise<readonly ClusterFinding[]> {
  const nonce = randomBytes(8).toString('hex');
  const { listener, control, behind } = probePods(live, nonce);
  await makeAll(renderCluster(live), connection, making);
  for (const pod of [listener, control, behind]) await makeOne(pod, connection, making);
  const until = Date.now() + wait;
  const started = (name: string): Promise<KubeObject> =>
    podStarted(connection, { name }, Math.max(1000, until - Date.now()));
  const heard = await started(listener.metadata.name);
  const network = await orOneLine(connection, async () => {
    const probes = { listener: heard, control: await started(control.metadata.name), nonce };
    return proveNetwork(connection, { ...probes, behind: await started(behind.metadata.name) }, live.plan.network);
  });
  const container = await orOneLine(connection, async () => {
    const pod = await started(live.name);
    return proveContainer(connection, { pod: pod.metadata.name, address: addressOf(heard), nonce }, live);
  });
  return [...network, ...container];
}

/** A failed part is one line of the report. An interruption ends the whole proof. */
async function orOneLine(
  { target }: ClusterConnection,
  prove: () => Promise<readonly ClusterFinding[]>,
): Promise<readonly ClusterFinding[]> {
  try {
    return await prove();
  } catch (error) {
    if (target.signal.aborted || !isHoldfastError(error)) throw error;
    return [missingFinding('proof', error.message, error.remedy)];
  }
}
