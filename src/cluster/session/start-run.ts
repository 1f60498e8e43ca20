import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { appendEvents } from '../../audit/index.ts';
import { boxAsks, type ClusterRequest, type KubernetesObject, shownPorts, supervisorAsks } from '../index.ts';
import { again } from './again.ts';
import { tellQuestions, type ToldQuestions } from './approvals/tell-questions.ts';
import { undoRun } from './clean-up.ts';
import { giveOwner, type MadeObject, makeObject } from './cluster-objects.ts';
import type { ClusterConnection } from './connection.ts';
import { listenForPod, type PodListeners } from './forward/listen-for-pod.ts';
import { shownIn } from './forward/shown-port.ts';
import { hiddenPaths } from './hidden-paths.ts';
import { forgetRun, type RememberedRun, rememberRun } from './journey/remember-sent.ts';
import { sendWorkspace } from './journey/send-workspace.ts';
import { type FoundWorkspace, walkWorkspace } from './journey/walk-workspace.ts';
import { detachedLease, lease } from './lease.ts';
import { ownWay } from './own-way.ts';
import { claimWay } from './pools/claim-way.ts';
import { RunningCommand } from './running-command.ts';
import type { ClusterCommand, RunStart } from './types.ts';

/** Bytes of changes for a policy without a limit. */
const mostBytes = 8 * 2 ** 30;

/** Returns the request of a live run: with an ID, its streams and its expiry. */
export function liveRequest(
  { target: { clock } }: ClusterConnection,
  request: ClusterRequest,
  { terminal = 'none', mode = 'foreground' }: RunStart,
): ClusterRequest {
  const id = randomBytes(8).toString('hex');
  return {
    ...request,
    run: {
      id,
      terminal,
      input: mode === 'foreground' ? 'once' : 'kept',
      ...(request.kind === 'sandbox' ? { expires: clock.now() + (mode === 'foreground' ? lease : detachedLease) } : {}),
    },
  };
}

/**
 * Makes the objects of a request, sends the workspace and starts the command. After a failure or an interruption at any
 * point, nothing stays in the cluster, or the error names it. Throws the errors of rendering, `HF_CLUSTER_REFUSED`,
 * `HF_CLUSTER_UNREACHABLE`, `HF_CLUSTER_FAILED` and `HF_QUOTA_EXCEEDED`.
 */
export async function startRun(
  connection: ClusterConnection,
  request: ClusterRequest,
  start: RunStart,
): Promise<ClusterCommand> {
  const live = liveRequest(connection, request, start);
  const way = (live.pool === undefined ? ownWay : claimWay)(connection, live, start);
  await way.check();
  tellClock(connection, start);
  const taken = Date.now();
  const found = walkWorkspace(live.workspace, hiddenPaths(live.plan, live.workspace));
  const making: Making = { made: [], doubtful: undefined };
  const run = live.run?.id ?? '';
  journalStart(connection, live, run);
  // A taken port here is found before any object is made there.
  const listeners = await listenersOf(connection, live, start);
  let questions: readonly ToldQuestions[] = [];
  const beside = {
    close() {
      listeners.close();
      for (const each of questions) each.close();
    },
  };
  try {
    const owner = await makeAll(way.manifests, connection, making);
    const pod = await way.pod(owner);
    const remembered = await depart(connection, { live, pod, found, taken }, start);
    rememberRun(connection.state, run, remembered);
    questions = questionsOf(connection, { live, pod }, start);
    await Promise.all(questions.map(({ heard }) => heard));
    const streams = await way.connect(pod);
    listeners.lead(pod);
    const { made } = making;
    const { startedBy } = way;
    return new RunningCommand({
      connection,
      name: live.name,
      pod,
      run,
      owner,
      made,
      remembered,
      streams,
      startedBy,
      supervisor: live.plan.network.kind === 'names' ? 'there' : 'none',
      start,
      beside,
    });
  } catch (error) {
    beside.close();
    forgetRun(connection.state, run);
    throw await undoRun(error, { connection, name: live.name, ...making });
  }
}

/** Milliseconds. Shorter times are usual, and harmless. */
const tellingClock = 120_000;

function tellClock({ target: { clock } }: ClusterConnection, { onNotice }: RunStart): void {
  const { ahead } = clock;
  if (Math.abs(ahead) < tellingClock) return;
  const minutes = Math.round(Math.abs(ahead) / 60_000);
  const way = ahead > 0 ? 'ahead of' : 'behind';
  onNotice(`the cluster's clock is ${minutes} minutes ${way} this machine's: expiry counts by the cluster's clock`);
}

/** A detached run forwards its ports through `forwardToSandbox` alone. */
function listenersOf(
  connection: ClusterConnection,
  live: ClusterRequest,
  { mode = 'foreground', onNotice }: RunStart,
): Promise<PodListeners> {
  return listenForPod(connection, mode === 'detached' ? [] : shownIn(shownPorts(live)), onNotice);
}

/** A command that has not started yet has asked nothing. */
function questionsOf(
  connection: ClusterConnection,
  { live, pod }: { readonly live: ClusterRequest; readonly pod: string },
  { mode = 'foreground', questions = 'unheard', onNotice }: RunStart,
): readonly ToldQuestions[] {
  if (mode === 'detached' || questions === 'unheard') return [];
  const asking = { supervisor: supervisorAsks(live), command: boxAsks(live) };
  return (['supervisor', 'command'] as const)
    .filter((container) => asking[container])
    .map((container) => tellQuestions(connection, { name: live.name, pod, container }, onNotice));
}

/** Before any data leaves: a transfer without an entry in the journal does not happen. */
function journalStart({ target, namespace, journal }: ClusterConnection, live: ClusterRequest, run: string): void {
  const { workspace, name, plan } = live;
  const server = target.access.server.origin;
  appendEvents(journal, [
    { type: 'cluster.run', workspace, run, server, namespace, name, argv: [...plan.command.argv] },
  ]);
}

export interface Making {
  readonly made: MadeObject[];
  doubtful: KubernetesObject | undefined;
}

/** The pod comes last, so its network policy exists before it. Returns the object that owns the others. */
export async function makeAll(
  manifests: readonly KubernetesObject[],
  connection: ClusterConnection,
  making: Making,
): Promise<MadeObject> {
  const { target } = connection;
  for (const manifest of manifests) await makeOne(manifest, connection, making);
  const owner = making.made.at(-1);
  if (owner === undefined) throw new Error('nothing was rendered');
  for (const object of making.made) if (object !== owner) await giveOwner(object, owner, target);
  return owner;
}

export async function makeOne(
  manifest: KubernetesObject,
  { target }: ClusterConnection,
  making: Making,
): Promise<void> {
  making.doubtful = manifest;
  making.made.push(await makeObject(manifest, target));
  making.doubtful = undefined;
}

interface Leaving {
  readonly live: ClusterRequest;
  readonly pod: string;
  readonly found: FoundWorkspace;
  readonly taken: number;
}

async function depart(
  connection: ClusterConnection,
  { live, pod, found, taken }: Leaving,
  { onNotice, mode }: RunStart,
): Promise<RememberedRun> {
  const sent = await again(connection, () =>
    sendWorkspace(connection, { pod, workspace: live.workspace, found, taken }),
  );
  if (sent.leftOut.length > 0)
    onNotice(`${sent.leftOut.length} entries of the workspace stayed here, hidden by the policy or no files`);
  const most = live.plan.limits.staged ?? mostBytes;
  return { sent, mostBytes: most, ...(mode === 'detached' ? {} : { client: process.pid }) };
}
