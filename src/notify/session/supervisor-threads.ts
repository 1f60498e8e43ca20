import { closeSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { kernelCall } from '../../kernel/index.ts';
import type { Place } from '../../place/place.ts';
import type { ThreadStart, ToThread } from './messages.ts';

/** A thread that has no box yet, or one. */
export interface SupervisorThread {
  readonly worker: Worker;
  /**
   * An eventfd of this process: written to when there is something to read for a thread that waits in the kernel.
   * Closed when the thread has ended.
   */
  readonly wake: number;
}

/** Loaded threads that wait for a box. Each has a policy in memory, some 20 MB. */
const mostIdle = 4;

/**
 * Threads that go from one box of a session to the next: understanding a policy takes longer than most commands. One
 * that waits knows nothing of any box, and does not keep the process alive.
 */
export class SupervisorThreads {
  readonly #idle: SupervisorThread[] = [];
  readonly #lent = new Set<SupervisorThread>();
  #state: 'open' | 'closed' = 'open';

  take(start: () => SupervisorThread): SupervisorThread {
    const thread = this.#idle.pop() ?? this.#watched(start());
    if (hasEnded(thread)) return this.take(start);
    thread.worker.ref();
    this.#lent.add(thread);
    return thread;
  }

  #watched(thread: SupervisorThread): SupervisorThread {
    thread.worker.once('exit', () => this.#lent.delete(thread));
    return thread;
  }

  /** The threads know an outdated policy. Those without a box end now, and the others end with their box. */
  forget(): void {
    this.#lent.clear();
    for (const thread of this.#idle.splice(0)) leave(thread);
  }

  /** Only a thread that has reported the end of its box, and got no message since. */
  giveBack(thread: SupervisorThread): void {
    if (hasEnded(thread)) return;
    const known = this.#lent.delete(thread);
    if (!known || this.#state === 'closed' || this.#idle.length >= mostIdle) return leave(thread);
    thread.worker.unref();
    this.#idle.push(thread);
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    await Promise.all(
      this.#idle.splice(0).map(async (thread) => {
        if (hasEnded(thread)) return;
        const ended = new Promise((resolve) => thread.worker.once('exit', resolve));
        thread.worker.ref();
        leave(thread);
        await ended;
      }),
    );
  }
}

export function leave({ worker }: SupervisorThread): void {
  worker.postMessage({ kind: 'leave' } satisfies ToThread, []);
}

function hasEnded({ worker }: SupervisorThread): boolean {
  return worker.threadId < 0;
}

export function startThread(place: Place): SupervisorThread {
  const wake = kernelCall('eventfd2', 0, closeOnExec);
  const start: ThreadStart = { place, wake };
  const worker = new Worker(threadFile(), { workerData: start, trackUnmanagedFds: false });
  // Whose box it has hears of its failure too; one that has none harms nobody.
  worker.on('error', () => undefined).once('exit', () => closeSync(wake));
  return { worker, wake };
}

const closeOnExec = 0o2000000;

/**
 * Beside this file in the sources and among the commands' bundles; the library's bundle has it in the folder of those.
 */
function threadFile(): string {
  // Undefined in bundles of CommonJS.
  const url = import.meta.url as string | undefined;
  if (url === undefined) return join(dirname(__filename), 'notify-thread.cjs');
  const here = fileURLToPath(url);
  return join(dirname(here), extname(here) === '.ts' ? 'notify-thread.ts' : 'cli/notify-thread.cjs');
}
