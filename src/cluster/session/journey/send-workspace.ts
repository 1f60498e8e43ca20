import type { RemoteStream } from '../../../kube/index.ts';
import type { ClusterConnection } from '../connection.ts';
import { execIn, FirstWords, insistSuccess } from '../pod-streams.ts';
import type { SentEntry, SentWorkspace } from './types.ts';
import type { FoundWorkspace } from './walk-workspace.ts';
import { tarOf } from './write-tar.ts';

export interface Departure {
  readonly pod: string;
  /** The real path here, and the path there. */
  readonly workspace: string;
  readonly found: FoundWorkspace;
  /** Milliseconds since 1970, before the walk. */
  readonly taken: number;
}

/** Brings a workspace into a pod. Throws `HF_CLUSTER_FAILED` if it does not arrive complete. */
export async function sendWorkspace(connection: ClusterConnection, departure: Departure): Promise<SentWorkspace> {
  const { pod, workspace, found, taken } = departure;
  const said = new FirstWords();
  const stream = await execIn(
    connection,
    { pod, container: 'courier', argv: ['tar', '-xpf', '-', '-C', workspace], stdin: 'open', terminal: 'none' },
    (_, bytes) => said.add(bytes),
  );
  const sending = { entries: new Map<string, SentEntry>(), leftOut: [...found.leftOut] };
  try {
    await pour(tarOf(workspace, found.found, sending), stream);
    await stream.endInput();
    insistSuccess(await stream.ended, 'sending the workspace', said.text);
  } finally {
    stream.close();
  }
  return { workspace, taken, ...sending };
}

/** Bytes of one message: headers of small files go together. */
const together = 32 << 10;

async function pour(chunks: AsyncIterable<Buffer>, stream: RemoteStream): Promise<void> {
  let isOver = false;
  void stream.ended.then(() => (isOver = true));
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    if (isOver) return;
    waiting.push(chunk);
    size += chunk.length;
    if (size < together) continue;
    await stream.write(Buffer.concat(waiting));
    [waiting, size] = [[], 0];
  }
  await stream.write(Buffer.concat(waiting));
}
