import type { Duplex } from 'node:stream';

/** Milliseconds for last words to reach a side that does not end by itself. */
const longestFarewell = 2000;

/**
 * Ends a side once it has been told everything. What it still says goes nowhere: unread, it would become a reset, and
 * the words be lost.
 */
export function farewell(side: Duplex): void {
  if (side.closed || side.destroyed) return;
  const timer = setTimeout(() => side.destroy(), longestFarewell);
  side.once('close', () => clearTimeout(timer));
  if (!side.writableEnded) side.end();
  side.resume();
}

/** Writes to one side at once. Whether it keeps up; one that is gone does. */
export function writePieces(target: Duplex, pieces: readonly Buffer[]): boolean {
  const [only] = pieces;
  if (pieces.length === 0 || !target.writable) return true;
  if (pieces.length === 1 && only !== undefined) return target.write(only);
  target.cork();
  let hasRoom = true;
  for (const piece of pieces) hasRoom = target.write(piece);
  target.uncork();
  return hasRoom;
}

/** Resolves when both sides of a connection are closed. What happens to one happens to the other. */
export function bothClosed(one: Duplex, other: Duplex): Promise<void> {
  const closed = (side: Duplex, opposite: Duplex): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        if (opposite.writableEnded || (side.errored === null && side.readableEnded)) farewell(opposite);
        else opposite.destroy();
        resolve();
      };
      if (side.closed) done();
      else side.once('close', done);
    });
  return Promise.all([closed(one, other), closed(other, one)]).then(() => undefined);
}
