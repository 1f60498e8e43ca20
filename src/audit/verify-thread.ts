/** A thread that verifies pieces of a journal. See `verify-threads.ts`. */
import { parentPort } from 'node:worker_threads';
import { macFor } from './mac.ts';
import { type PieceRequest, verifyLines } from './verify-lines.ts';

parentPort?.on('message', ({ fd, range, after, key }: PieceRequest) => {
  parentPort?.postMessage(verifyLines(fd, { ...range, after, mac: macFor(key, Number.POSITIVE_INFINITY) }), []);
});
