import type { Duplex } from 'node:stream';

/** Both sides of a connection, as they are now: for who has to end them. */
export interface Ends {
  client: Duplex;
  server: Duplex | undefined;
}

export interface Serving {
  /**
   * Logs in on both sides. What it gives carries the rest, without a limit of time; undefined where there is no rest.
   */
  logIn(ends: Ends): Promise<(() => Promise<void>) | undefined>;
  /** Tells the client why it ends. */
  fail(client: Duplex, error: unknown): void;
}

/** Milliseconds for the login on both legs: `authentication_timeout` of PostgreSQL. */
const loginPatience = 60_000;

/** Serves one client of a broker to its end, and ends what was opened for it. Never rejects. */
export async function serveEnds(raw: Duplex, { logIn, fail }: Serving): Promise<void> {
  const ends: Ends = { client: raw, server: undefined };
  const endServer = (): void => void ends.server?.destroy();
  const timer = setTimeout(() => {
    raw.destroy();
    endServer();
  }, loginPatience);
  // It may break at any time; who waits for it hears 'close'.
  raw.on('error', () => undefined).once('close', endServer);
  try {
    const carry = await logIn(ends);
    clearTimeout(timer);
    await carry?.();
  } catch (error) {
    fail(ends.client, error);
  } finally {
    clearTimeout(timer);
    endServer();
    farewell(ends.client);
    if (ends.client.closed) raw.destroy();
    else ends.client.once('close', () => raw.destroy());
  }
}

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
