import type { Duplex } from 'node:stream';

/** The current streams of both sides of a connection, for the code that has to end them. */
export interface Ends {
  client: Duplex;
  server: Duplex | undefined;
}

export interface Serving {
  /**
   * Logs in on both sides. Returns a function that relays the rest, without a time limit. Undefined if nothing is left
   * to relay.
   */
  logIn(ends: Ends): Promise<(() => Promise<void>) | undefined>;
  /** Tells the client why the connection ends. */
  fail(client: Duplex, error: unknown): void;
}

/** Milliseconds for the login on both sides: PostgreSQL's `authentication_timeout`. */
const loginPatience = 60_000;

/** Serves one client of a broker to its end, and closes everything that was opened for the client. Never rejects. */
export async function serveEnds(raw: Duplex, { logIn, fail }: Serving): Promise<void> {
  const ends: Ends = { client: raw, server: undefined };
  const endServer = (): void => void ends.server?.destroy();
  const timer = setTimeout(() => {
    raw.destroy();
    endServer();
  }, loginPatience);
  // The connection may break at any time. Code that waits for its end listens to 'close'.
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

/** Milliseconds for the last bytes to reach a side that does not end on its own. */
const longestFarewell = 2000;

/**
 * Ends a side after everything has been written to it. Its remaining input is read and dropped, because unread input
 * would cause a reset that loses the last bytes.
 */
export function farewell(side: Duplex): void {
  if (side.closed || side.destroyed) return;
  const timer = setTimeout(() => side.destroy(), longestFarewell);
  side.once('close', () => clearTimeout(timer));
  if (!side.writableEnded) side.end();
  side.resume();
}

/** Writes to one side at once. Returns whether the side keeps up. A closed side counts as keeping up. */
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

/** Resolves when both sides of a connection are closed. The end of one ends the other. */
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
