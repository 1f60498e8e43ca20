/** A thread that verifies pieces of a journal: see `verify-threads.ts`. */
import { parentPort } from 'node:worker_threads';
import { macFor } from './mac.ts';
import { verifyLines } from './verify-lines.ts';
import type { PieceRequest } from './verify-threads.ts';

parentPort?.on('message', ({ fd, range, after, key }: PieceRequest) => {
  parentPort?.postMessage(verifyLines(fd, { ...range, after, mac: macFor(key, Number.POSITIVE_INFINITY) }), []);
});
