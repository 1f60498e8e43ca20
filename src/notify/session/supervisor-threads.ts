import { closeSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { kernelCall } from '../../kernel/index.ts';
import type { Place } from '../../place/place.ts';
import type { FromThread, ThreadStart, ToThread } from './messages.ts';

/** A thread that supervises a box, or waits for one. */
export interface SupervisorThread {
  readonly worker: Worker;
  /**
   * An eventfd of this process. A write to it wakes a thread that waits in the kernel, because there is a message to
   * read. Closed when the thread has ended.
   */
  readonly wake: number;
}

/** Loaded threads that may wait for a box. Each keeps a policy in memory, about 20 MB. */
const mostIdle = 4;

interface Hearing {
  readonly fail: (cause: unknown) => void;
  readonly hear: (message: Exclude<FromThread, { kind: 'over' }>) => void;
  /**
   * Called at once. Code that waits for the box may run before code that waits for the thread, and the thread's
   * descriptor would be closed.
   */
  readonly end: (how: 'over' | 'exit') => void;
}

/**
 * Threads that move from one box of a session to the next, because loading a policy takes longer than most commands. A
 * waiting thread has no data of any box, and does not keep the process alive.
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

  /** The threads have an outdated policy. Idle threads end now, and the others end with their box. */
  forget(): void {
    this.#lent.clear();
    for (const thread of this.#idle.splice(0)) leave(thread);
  }

  /** Takes back a thread that has reported the end of its box and got no message since. */
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
  // The owner of the thread's box also hears of the failure. The failure of an idle thread harms nobody.
  worker.on('error', () => undefined).once('exit', () => closeSync(wake));
  return { worker, wake };
}

const closeOnExec = 0o2000000;

/**
 * In the sources the file is next to this one. `load-thread.cjs` loads its bundle (scripts/entry-source.ts). The
 * library's bundle finds it in the folder of the command bundles.
 */
function threadFile(): string {
  // Undefined in CommonJS bundles.
  const url = import.meta.url as string | undefined;
  if (url === undefined) return join(dirname(__filename), 'load-thread.cjs');
  const here = fileURLToPath(url);
  return join(dirname(here), extname(here) === '.ts' ? 'notify-thread.ts' : 'cli/load-thread.cjs');
}

/** `over`: the thread may get another box. Its messages about this box arrive first. */
export function lastWord({ worker }: SupervisorThread, { fail, hear: listen, end }: Hearing): Promise<void> {
  return new Promise((resolve) => {
    const settleOn = (how: 'over' | 'exit'): void => {
      worker.off('message', onMessage).off('error', fail).off('exit', onExit);
      end(how);
      resolve();
    };
    const onExit = (): void => settleOn('exit');
    const onMessage = (message: FromThread): void => (message.kind === 'over' ? settleOn('over') : listen(message));
    worker.on('message', onMessage).once('error', fail).once('exit', onExit);
  });
}

/**
 * Runs `act` when this process exits, unless the returned function was called first. There may be one listener for each
 * box.
 */
export function atExit(act: () => void): () => void {
  allowListeners(1);
  process.once('exit', act);
  return () => {
    process.off('exit', act);
    allowListeners(-1);
  };
}

/** Zero means no limit. */
function allowListeners(more: number): void {
  const most = process.getMaxListeners();
  if (most > 0) process.setMaxListeners(most + more);
}
