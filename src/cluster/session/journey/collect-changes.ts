import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { appendEvents } from '../../../audit/index.ts';
import { removeTree } from '../../../kernel/index.ts';
import type { RemoteEnd } from '../../../kube/index.ts';
import { layersDirectory } from '../../../staged/store/layout.ts';
import { countChanges } from '../../../staged/changes/count-changes.ts';
import { again } from '../again.ts';
import type { ClusterConnection } from '../connection.ts';
import { execIn, FirstWords, insistSuccess } from '../pod-streams.ts';
import { receiveWorkspace, type ReturnedWorkspace } from './receive-workspace.ts';
import type { RememberedRun } from './remember-sent.ts';
import { stageReturn } from './stage-return.ts';

/** The collected changes of a run. */
export interface CollectedChanges {
  /** ID of the staged layer. Absent: the command changed nothing. */
  readonly layer?: string;
  /** Number of changed entries. */
  readonly changed: number;
  /** Entries that no layer can hold, and those that never left this machine. */
  readonly leftOut: readonly string[];
}

/**
 * Brings a workspace back from a pod, and stages the changes of the command. Does not touch the workspace here. Throws
 * `HF_CLUSTER_FAILED`, `HF_QUOTA_EXCEEDED` and `HF_DISK_FULL`, and then stages nothing.
 */
export async function collectChanges(
  connection: ClusterConnection,
  { pod, run }: { readonly pod: string; readonly run: string },
  { sent, mostBytes }: RememberedRun,
): Promise<CollectedChanges> {
  const layers = layersDirectory(connection.state);
  mkdirSync(layers, { recursive: true, mode: 0o700 });
  // On the disk of the layers, under a name that the store removes if this process is killed.
  const spool = mkdtempSync(join(layers, '.new-cluster-'));
  try {
    const returned = await again(connection, () =>
      bringBack(connection, { pod, workspace: sent.workspace }, (source) =>
        receiveWorkspace(source, { sent, spool: mkdtempSync(join(spool, 'try-')), mostBytes }),
      ),
    );
    const layer = stageReturn(connection.state, sent, returned);
    const staged = layer === undefined ? { changed: 0 } : { layer: layer.id, changed: countChanges(layer).changed };
    const { changed: changes, ...named } = staged;
    appendEvents(connection.journal, [{ type: 'cluster.collect', workspace: sent.workspace, run, changes, ...named }]);
    return { ...staged, leftOut: returned.leftOut };
  } finally {
    removeTree(spool);
  }
}

async function bringBack(
  connection: ClusterConnection,
  { pod, workspace }: { readonly pod: string; readonly workspace: string },
  read: (source: AsyncIterable<Buffer>) => Promise<ReturnedWorkspace>,
): Promise<ReturnedWorkspace> {
  const [archive, said] = [new PassThrough({ highWaterMark: 1 << 20 }), new FirstWords()];
  const stream = await execIn(
    connection,
    { pod, container: 'courier', argv: ['tar', '-cf', '-', '-C', workspace, '.'], stdin: 'none', terminal: 'none' },
    (name, bytes) => (name === 'stderr' ? said.add(bytes) : push(archive, bytes)),
  );
  let early: RemoteEnd | undefined;
  const over = stream.ended.then((end) => {
    early = end;
    archive.end();
    return end;
  });
  try {
    const returned = await read(archive);
    archive.resume();
    insistSuccess(await over, 'bringing the workspace back', said.text);
    return returned;
  } catch (error) {
    archive.destroy();
    // The error of its program, or of the lost connection, explains more than that of a truncated archive.
    if (early !== undefined) insistSuccess(early, 'bringing the workspace back', said.text);
    throw error;
  } finally {
    stream.close();
  }
}

function push(archive: PassThrough, bytes: Buffer): Promise<void> | void {
  if (archive.destroyed || archive.write(bytes)) return;
  return new Promise((resolve) => {
    archive.once('drain', resolve);
    archive.once('close', resolve);
  });
}
