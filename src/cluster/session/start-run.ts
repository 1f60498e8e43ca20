import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { appendEvents } from '../../audit/index.ts';
import { pathOf, watchUntil } from '../../kube/index.ts';
import { type ClusterRequest, type KubernetesObject, renderCluster } from '../index.ts';
import { again } from './again.ts';
import { undoRun } from './clean-up.ts';
import { giveOwner, type MadeObject, makeObject, selectorOf } from './cluster-objects.ts';
import type { ClusterConnection } from './connection.ts';
import { hiddenPaths } from './hidden-paths.ts';
import { forgetRun, type RememberedRun, rememberRun } from './journey/remember-sent.ts';
import { sendWorkspace } from './journey/send-workspace.ts';
import { type FoundWorkspace, walkWorkspace } from './journey/walk-workspace.ts';
import { attachTo } from './pod-streams.ts';
import { brokenError, podState } from './pod-state.ts';
import { lease, RunningCommand } from './running-command.ts';
import type { ClusterCommand, RunStart } from './types.ts';

const usualWait = 300_000;
/** Nobody renews the lease of a detached sandbox. */
const detachedLease = 86_400_000;
/** Bytes of changes where the policy has no limit. */
const mostBytes = 8 * 2 ** 30;

/** Returns the request of a live run: with an ID, its streams and its expiry. */
export function liveRequest(
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
      ...(request.kind === 'sandbox' ? { expires: Date.now() + (mode === 'foreground' ? lease : detachedLease) } : {}),
    },
  };
}

/**
 * Makes the objects of a request, sends the workspace and starts the command. Whatever fails, and wherever it is
 * interrupted, nothing stays in the cluster: otherwise the error says what. Throws the errors of rendering,
 * `HF_CLUSTER_REFUSED`, `HF_CLUSTER_UNREACHABLE`, `HF_CLUSTER_FAILED` and `HF_QUOTA_EXCEEDED`.
 */
export async function startRun(
  connection: ClusterConnection,
  request: ClusterRequest,
  start: RunStart,
): Promise<ClusterCommand> {
  const live = liveRequest(request, start);
  const manifests = renderCluster(live);
  const taken = Date.now();
  const found = walkWorkspace(live.workspace, hiddenPaths(live.plan, live.workspace));
  const making: Making = { made: [], doubtful: undefined };
  const run = live.run?.id ?? '';
  journalStart(connection, live, run);
  try {
    const owner = await makeAll(manifests, connection, making);
    const { pod } = await started(connection, live.name, start.wait ?? usualWait);
    const remembered = await depart(connection, { live, pod, found, taken }, start);
    rememberRun(connection.state, run, remembered);
    const parts = { connection, name: live.name, pod, run, owner, made: making.made, remembered };
    const attach = () =>
      attachTo(
        connection,
        { pod, container: 'command', stdin: 'open', terminal: start.terminal ?? 'none' },
        start.onOutput,
      );
    const stream = await again(connection, attach);
    await stream.write(Buffer.from('\n'));
    return new RunningCommand({ ...parts, attach, stream, start });
  } catch (error) {
    forgetRun(connection.state, run);
    throw await undoRun(error, { connection, name: live.name, ...making });
  }
}

/** Before anything leaves: what cannot be written down does not happen. */
function journalStart({ target, namespace, journal }: ClusterConnection, live: ClusterRequest, run: string): void {
  const { workspace, name, plan } = live;
  const server = target.access.server.origin;
  appendEvents(journal, [
    { type: 'cluster.run', workspace, run, server, namespace, name, argv: [...plan.command.argv] },
  ]);
}

interface Making {
  readonly made: MadeObject[];
  doubtful: KubernetesObject | undefined;
}

/** The pod comes last, so its network policy is there before it. Returns the object that owns the others. */
async function makeAll(
  manifests: readonly KubernetesObject[],
  { target }: ClusterConnection,
  making: Making,
): Promise<MadeObject> {
  for (const manifest of manifests) {
    making.doubtful = manifest;
    making.made.push(await makeObject(manifest, target));
    making.doubtful = undefined;
  }
  const owner = making.made.at(-1);
  if (owner === undefined) throw new Error('nothing was rendered');
  for (const object of making.made) if (object !== owner) await giveOwner(object, owner, target);
  return owner;
}

async function started(
  { target, namespace }: ClusterConnection,
  name: string,
  atMost: number,
): Promise<{ readonly pod: string }> {
  let why = 'there is no pod';
  return watchUntil(
    {
      path: pathOf({ kind: 'Pod', namespace }),
      labelSelector: selectorOf(name),
      doing: 'list pods',
      atMost,
      awaited: () => `the start of the pod (${why.slice(0, 300)})`,
    },
    target,
    ([pod]) => {
      if (pod === undefined) return undefined;
      const state = podState(pod);
      switch (state.kind) {
        case 'starting':
          why = state.why;
          return undefined;
        case 'running':
          return { pod: state.pod };
        case 'ended':
          throw brokenError({
            why: `the command ended with ${state.end.exitCode} before it was started: ${state.end.reason}`,
            remedy: 'see whether the image has /bin/sh, `stty` and Holdfast',
          });
        case 'broken':
          throw brokenError(state);
      }
    },
  );
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
