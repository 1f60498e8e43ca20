import type { Duplex } from 'node:stream';
import { farewell } from './farewell.ts';

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
