import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeKind, KubeObject } from '../../kube/index.ts';
import { turnEnd } from '../index.ts';
import { objectGone, podGone, removeRun } from './clean-up.ts';
import { findObjects, type MadeObject, selectorOf } from './cluster-objects.ts';
import type { ClusterConnection } from './connection.ts';
import { checkName, type FoundPod, podOf, unknownSandbox } from './find-sandbox.ts';
import { commandExit } from './follow-command.ts';
import { type CollectedChanges, collectChanges } from './journey/collect-changes.ts';
import { type CollectedJournal, collectJournal } from './journey/collect-journal.ts';
import { forgetRun, rememberedRun } from './journey/remember-sent.ts';
import { execIn, insistSuccess } from './pod-streams.ts';
import { signalCommand } from './signal-command.ts';

export interface StopOptions {
  /** Milliseconds between SIGTERM and the end of the pod. Default: ten seconds. */
  readonly grace?: number;
  /** `discard`: drop the changes of the command. Default: `collect`, if this machine sent the workspace. */
  readonly changes?: 'collect' | 'discard';
}

export interface StoppedSandbox {
  readonly name: string;
  readonly namespace: string;
  /** Absent if another machine sent the workspace, the pod was gone, or the changes were discarded. */
  readonly changes?: CollectedChanges;
  /** Events of the pod's supervisor, which are now in the journal. Absent as `changes` is, but not for `discard`. */
  readonly journal?: CollectedJournal | { readonly failed: string };
  /** The objects that were removed, as `Pod/agent`. */
  readonly removed: readonly string[];
  /** The process that runs the command in the foreground has collected its changes and removed its objects. */
  readonly collector?: 'its-client';
}

const usualGrace = 10_000;

/** All kinds that a run can make. Shared objects of runs are not among them. The way out goes last. */
const kinds: readonly KubeKind[] = ['SandboxClaim', 'Sandbox', 'Pod', 'NetworkPolicy', 'ConfigMap'];

/**
 * Ends a command, collects its changes as a staged layer, and removes every object of its name that Holdfast has made.
 * Throws `HF_USAGE` if no object has the name, and the errors of collecting: then everything is still there.
 */
export async function stopSandbox(
  connection: ClusterConnection,
  name: string,
  { grace = usualGrace, changes = 'collect' }: StopOptions = {},
): Promise<StoppedSandbox> {
  checkName(name);
  const objects = await objectsOf(connection, name);
  if (objects.length === 0) throw unknownSandbox(connection, name);
  const pod = await podOf(connection, name);
  if (pod?.state.kind === 'running' && changes === 'collect' && hasClient(connection, pod.run)) {
    await endCommand(connection, pod, { name, grace });
    await podGone(connection, name);
    for (const claim of objects.filter(({ kind }) => kind === 'SandboxClaim'))
      await objectGone(claim, connection.target);
    return { name, namespace: connection.namespace, removed: [], collector: 'its-client' };
  }
  const collected =
    pod === undefined || changes === 'discard' ? undefined : await endAndCollect(connection, pod, { name, grace });
  const journal = pod === undefined ? undefined : await journalOf(connection, pod);
  await removeRun(connection, name, objects);
  if (pod !== undefined) forgetRun(connection.state, pod.run);
  return {
    name,
    namespace: connection.namespace,
    ...(collected === undefined ? {} : { changes: collected }),
    ...(journal === undefined ? {} : { journal }),
    removed: objects.map((object) => `${object.kind}/${object.name}`),
  };
}

/** Two collectors would stage the same changes twice. */
function hasClient({ state }: ClusterConnection, run: string): boolean {
  const client = rememberedRun(state, run)?.client;
  if (client === undefined || client === process.pid) return false;
  try {
    return process.kill(client, 0);
  } catch {
    return false;
  }
}

async function objectsOf({ target, namespace }: ClusterConnection, name: string): Promise<readonly MadeObject[]> {
  const made = (kind: KubeKind, { metadata }: KubeObject): MadeObject => ({
    kind,
    namespace,
    name: metadata.name,
    uid: metadata.uid ?? '',
  });
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const objects = await findObjects({ kind, namespace, selector: selectorOf(name) }, target);
      return objects.map((object) => made(kind, object));
    }),
  );
  return found.flat();
}

async function endAndCollect(
  connection: ClusterConnection,
  found: FoundPod,
  { name, grace }: { readonly name: string; readonly grace: number },
): Promise<CollectedChanges | undefined> {
  const { pod, run, state } = found;
  const remembered = rememberedRun(connection.state, run);
  if (remembered === undefined || state.kind === 'broken' || state.kind === 'starting') return undefined;
  if (state.kind === 'running') await endCommand(connection, found, { name, grace });
  return collectChanges(connection, { pod, run }, remembered);
}

/** Calls were made, even if the changes are dropped. */
async function journalOf(
  connection: ClusterConnection,
  { pod, run, state, supervisor }: FoundPod,
): Promise<StoppedSandbox['journal']> {
  const remembered = rememberedRun(connection.state, run);
  if (remembered === undefined || supervisor === 'none' || state.kind === 'broken' || state.kind === 'starting')
    return undefined;
  return collectJournal(connection, { pod, run, workspace: remembered.sent.workspace });
}

/** A command that ignores SIGTERM is killed with its container. */
async function endCommand(
  connection: ClusterConnection,
  found: FoundPod,
  { name, grace }: { readonly name: string; readonly grace: number },
): Promise<void> {
  const ended = found.startedBy === 'exec' ? turnOver(connection, found.pod) : commandExit(connection, name);
  ended.catch(() => undefined);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    // The command may end at this moment.
    await signalCommand(connection, found, signal).catch(() => undefined);
    if ((await Promise.race([ended, sleep(grace, 'late' as const, { ref: false })])) !== 'late') return;
  }
}

/** Resolves when the command of a claim has ended. Throws if the end was not observed. */
async function turnOver(connection: ClusterConnection, pod: string): Promise<void> {
  const place = { pod, container: 'command', argv: turnEnd, stdin: 'none', terminal: 'none' } as const;
  const stream = await execIn(connection, place, () => undefined);
  try {
    insistSuccess(await stream.ended, 'waiting for the command', '');
  } finally {
    stream.close();
  }
}
