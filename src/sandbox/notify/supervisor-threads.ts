import { closeSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { kernelCall } from '../../kernel/index.ts';
import type { Place } from '../place.ts';
import type { ThreadStart, ToThread } from './messages.ts';

/** A thread that has no box yet, or one. */
export interface SupervisorThread {
  readonly worker: Worker;
  /** An eventfd of this process: written to when there is something to read for a thread that waits in the kernel. Whoever has the thread closes it. */
  readonly wake: number;
}

export function startThread(place: Place): SupervisorThread {
  const wake = kernelCall('eventfd2', 0, closeOnExec);
  const start: ThreadStart = { place, wake };
  return { worker: new Worker(threadFile(), { workerData: start, trackUnmanagedFds: false }), wake };
}

const closeOnExec = 0o2000000;

/**
 * Keeps one thread loaded ahead of the next box of a session: understanding a policy takes longer than most commands. It knows
 * nothing of any box, and does not keep the process alive.
 */
export class SupervisorThreads {
  readonly #place: Place;
  #spare: SupervisorThread | undefined;
  #state: 'open' | 'closed' = 'open';

  constructor(place: Place) {
    this.#place = place;
  }

  take(): SupervisorThread {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare === undefined) return startThread(this.#place);
    spare.worker.removeAllListeners();
    spare.worker.ref();
    return spare;
  }

  /** Best where nobody waits for the processors: after a box has ended. */
  prepare(): void {
    if (this.#state === 'closed' || this.#spare !== undefined) return;
    const spare = startThread(this.#place);
    const drop = (): void => {
      if (this.#spare === spare) this.#spare = undefined;
      closeSync(spare.wake);
    };
    // One that fails is not kept: the next box starts its own, which says why.
    spare.worker.once('error', () => undefined).once('exit', drop).unref();
    this.#spare = spare;
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    const spare = this.#spare;
    if (spare === undefined) return;
    const ended = new Promise((resolve) => spare.worker.once('exit', resolve));
    spare.worker.ref();
    spare.worker.postMessage({ kind: 'end' } satisfies ToThread, []);
    await ended;
  }
}

/** Beside this file in the sources and among the commands' bundles; the library's bundle has it in the folder of those. */
function threadFile(): string {
  // Undefined in bundles of CommonJS.
  const url = import.meta.url as string | undefined;
  if (url === undefined) return join(dirname(__filename), 'notify-thread.cjs');
  const here = fileURLToPath(url);
  return join(dirname(here), extname(here) === '.ts' ? 'notify-thread.ts' : 'cli/notify-thread.cjs');
}
