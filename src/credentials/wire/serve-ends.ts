import type { Duplex } from 'node:stream';
import { farewell } from './farewell.ts';

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
