import { HoldfastError } from '../../../errors/index.ts';
import { type KubeObject, pathOf, type RemoteStream, watchUntil } from '../../../kube/index.ts';
import { checkedRequest, type ClusterRequest, renderClaim, shapeLabel, shownPorts, turnWords } from '../../index.ts';
import { again } from '../again.ts';
import type { MadeObject } from '../cluster-objects.ts';
import type { ClusterConnection } from '../connection.ts';
import { commandExit } from '../follow-command.ts';
import { podStarted, usualWait } from '../own-way.ts';
import { type CommandExit, brokenError } from '../pod-state.ts';
import { execIn } from '../pod-streams.ts';
import type { RunWay } from '../run-way.ts';
import type { RunStart } from '../types.ts';
import { claimedSandbox, findClaimed } from './find-claimed.ts';
import { insistPool } from './fitting-pool.ts';
import { poolShape, shapeId } from './pool-shape.ts';

/** A sandbox of a pool, which waits for any command of the same policy. The command comes by `exec`. */
export function claimWay(connection: ClusterConnection, live: ClusterRequest, start: RunStart): RunWay {
  const { name, namespace, pool = '', run, agentSandbox } = live;
  if (start.mode === 'detached')
    throw new HoldfastError('HF_USAGE', 'a command in a pool needs its client: its node keeps no output of it', {
      remedy: 'leave --detach out, or leave --pool out',
    });
  checkedRequest(live);
  const shown = shownPorts(live);
  return {
    check: () => insistPool(connection, pool, live),
    manifests: [
      renderClaim({ name, namespace, pool, run: run?.id ?? '', expires: run?.expires ?? 0, shown, agentSandbox }),
    ],
    startedBy: 'exec',
    pod: (claim) => claimedPod(connection, claim, { live, wait: start.wait ?? usualWait }),
    async connect(pod) {
      const { terminal = 'none' } = start;
      const place = { pod, container: 'command', argv: turnWords(live), stdin: 'open', terminal } as const;
      // Only the first line starts the command, so a stream with a lost opening never does.
      const stream = await again(connection, () => execIn(connection, place, start.onOutput));
      await stream.write(Buffer.from('\n'));
      return {
        current: stream,
        async until() {
          const over = new AbortController();
          tellSupervisor(connection, { name, pod, over: over.signal }, start);
          return exitOf(stream, name).finally(() => over.abort());
        },
        afterLoss: 'keep',
      };
    },
  };
}

interface Wanted {
  readonly live: ClusterRequest;
  readonly wait: number;
}

/** A pool may hold pods of an older template. A pod of another shape gets no workspace and no command. */
async function claimedPod(connection: ClusterConnection, claim: MadeObject, wanted: Wanted): Promise<string> {
  const until = Date.now() + wanted.wait;
  const found = await sandboxGiven(connection, claim, { until, wait: wanted.wait });
  const started = await podStarted(connection, { name: found.metadata.name }, Math.max(1000, until - Date.now()));
  if (started.metadata.uid === found.metadata.uid && started.metadata.labels?.[shapeLabel] === shapeOf(wanted.live))
    return started.metadata.name;
  throw brokenError({
    why: `the pool ${JSON.stringify(wanted.live.pool)} gave a pod that was made for another policy`,
    remedy: 'make the pool again with `holdfast cluster pool down` and `pool up`',
  });
}

function shapeOf(live: ClusterRequest): string {
  return shapeId(poolShape(live));
}

async function sandboxGiven(
  connection: ClusterConnection,
  claim: MadeObject,
  { until, wait }: { readonly until: number; readonly wait: number },
): Promise<KubeObject> {
  const { target, namespace } = connection;
  for (let why = 'no controller has answered'; ; ) {
    await watchUntil(
      {
        path: pathOf({ kind: 'SandboxClaim', namespace }, target),
        selected: { name: claim.name },
        doing: 'list sandboxclaims',
        atMost: Math.max(1, until - Date.now()),
        awaited: () => `a sandbox for the claim (${why})`,
      },
      target,
      ([object]) => {
        if (object?.metadata.uid !== claim.uid)
          throw brokenError({ why: 'the claim is gone', remedy: 'run the command again' });
        why = reasonIn(object) ?? why;
        return claimedSandbox(object);
      },
    );
    const found = await findClaimed(connection, claim.name);
    if (found?.pod !== undefined) return found.pod;
    why = 'its sandbox has no pod';
    if (Date.now() > until)
      throw brokenError({
        why: `the claim has no pod after ${Math.round(wait / 1000)} seconds`,
        remedy: 'see `holdfast cluster pool list`, or wait longer with --wait',
      });
    await new Promise((resolve) => setTimeout(resolve, 200));
    target.signal.throwIfAborted();
  }
}

function reasonIn({ status }: KubeObject): string | undefined {
  const [condition] = (status?.['conditions'] ?? []) as readonly { reason?: unknown; message?: unknown }[];
  if (typeof condition?.reason !== 'string') return undefined;
  const message = typeof condition.message === 'string' ? `: ${condition.message}` : '';
  return `${condition.reason}${message}`.replaceAll(/\s+/gu, ' ').slice(0, 300);
}

/** The pod's container outlives the command, so only the notices of its watch count. */
function tellSupervisor(
  connection: ClusterConnection,
  { name, pod, over }: { readonly name: string; readonly pod: string; readonly over: AbortSignal },
  { onNotice }: RunStart,
): void {
  const { target } = connection;
  const watching = { ...connection, target: { ...target, signal: AbortSignal.any([target.signal, over]) } };
  commandExit(watching, name, { onNotice, selected: { name: pod } }).catch(() => undefined);
}

async function exitOf(stream: RemoteStream, name: string): Promise<CommandExit> {
  const end = await stream.ended;
  if (end.kind === 'exited') return { exitCode: end.exitCode, reason: '' };
  const why = end.kind === 'lost' ? `the connection to the command was lost: ${end.reason}` : end.message;
  throw new HoldfastError('HF_CLUSTER_FAILED', `${why}; its sandbox stays for now`, {
    remedy: `\`holdfast cluster stop ${name}\` ends it and collects its changes, and --discard drops them`,
  });
}
