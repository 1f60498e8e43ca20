import { closeSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { kernelCall } from '../../kernel/index.ts';
import type { Place } from '../../place/place.ts';
import type { ThreadStart } from './messages.ts';
import type { SupervisorThread } from './supervisor-threads.ts';

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
