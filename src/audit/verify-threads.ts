import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Range } from './chunks.ts';
import type { ChainState, LinesReport } from './verify-lines.ts';

/** What a thread is asked to verify. The file is one that this process has open. */
export interface PieceRequest {
  readonly fd: number;
  readonly range: Range;
  readonly after: ChainState;
  readonly key: Uint8Array;
}

const mostThreads = 4;

/** Threads that verify pieces side by side. They start with the first one, and end with `close`. */
export class VerifyThreads {
  #workers: readonly Worker[] = [];

  /** Reports in the order of the requests. Rejects when a thread fails. */
  async verify(requests: readonly PieceRequest[]): Promise<readonly LinesReport[]> {
    if (this.#workers.length === 0)
      this.#workers = Array.from(
        { length: Math.min(mostThreads, availableParallelism()) },
        () => new Worker(threadFile()),
      );
    const reports: LinesReport[] = [];
    const left = requests.map((request, index) => ({ request, index })).toReversed();
    const work = async (worker: Worker): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        worker.postMessage(next.request, []);
        const [report] = (await once(worker, 'message')) as [LinesReport];
        reports[next.index] = report;
      }
    };
    await Promise.all(this.#workers.map(work));
    return reports;
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** Beside this file in the sources and in the folder of the commands; below the library's folder otherwise. */
function threadFile(): string {
  const url = import.meta.url as string | undefined;
  if (url === undefined) return join(dirname(__filename), 'verify-thread.cjs');
  const here = fileURLToPath(url);
  return join(dirname(here), extname(here) === '.ts' ? 'verify-thread.ts' : 'cli/verify-thread.cjs');
}
