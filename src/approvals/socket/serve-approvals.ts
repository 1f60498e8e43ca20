import { chmodSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ApprovalQueue } from '../types.ts';
import { isOwnPeer } from './peer.ts';
import { serveClient, type ServedClient } from './serve-client.ts';
import { makeSocketDirectory, withAddress } from './socket-place.ts';

export interface ServeApprovalsOptions {
  /** As in `StatePaths`. */
  readonly runtime: string;
  /** Becomes the socket's name. */
  readonly session: string;
  /** Real path. */
  readonly workspace: string;
  readonly queue: Pick<ApprovalQueue, 'pending' | 'answer' | 'subscribe'>;
  /** Decides about whoever connects. Default: this user's processes outside of boxes. */
  readonly admits?: (socket: Socket) => boolean;
}

export interface ApprovalServer {
  /** Whether a client is there that can answer, or comes within so many milliseconds of the moment when the socket came into being. */
  somebody(milliseconds: number): Promise<boolean>;
  /** Removes the socket. It keeps no process alive meanwhile. */
  close(): void;
}

/** Clients at a time; the dashboard, an editor and a terminal are three. */
const mostClients = 32;

/** Shows what waits in a queue to this user's programs, through a socket of the session, and takes their answers. Throws `HF_STATE_UNWRITABLE`. */
export async function serveApprovals(options: ServeApprovalsOptions): Promise<ApprovalServer> {
  const { queue, session, workspace, admits = isOwnPeer } = options;
  const clients = new Set<ServedClient>();
  const waiting = new Set<() => void>();
  const host = { session, workspace, queue, arrived: () => waiting.forEach((resolve) => resolve()) };
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (clients.size >= mostClients || !admits(socket)) return void socket.destroy();
    const client = serveClient(socket, host);
    clients.add(client);
    socket.on('close', () => clients.delete(client));
  });
  const directory = makeSocketDirectory(options.runtime);
  await listen(server, directory, session);
  const born = performance.now();
  const unsubscribe = queue.subscribe((change) => clients.forEach((client) => client.tell(change)));
  const present = (): boolean => [...clients].some((client) => client.channel() !== undefined);
  return {
    somebody: (milliseconds) => (present() ? Promise.resolve(true) : firstOf(waiting, milliseconds - (performance.now() - born)).then(present)),
    close() {
      unsubscribe();
      server.close();
      for (const client of clients) client.drop();
      rmSync(join(directory, session), { force: true });
    },
  };
}

/**
 * It gets its name when it listens already: whoever is refused by a socket with that name knows that its session is dead, and may
 * remove it.
 */
async function listen(server: Server, directory: string, name: string): Promise<void> {
  const early = `.${name}`;
  await withAddress(directory, early, (path) => new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve)));
  server.unref().on('error', () => server.close());
  chmodSync(join(directory, early), 0o600);
  renameSync(join(directory, early), join(directory, name));
}

/** A process that was busy meanwhile hears late of who has come in time: what waits for it in the kernel is looked at before the answer is no. */
function firstOf(waiting: Set<() => void>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      waiting.delete(done);
      resolve();
    };
    const look = (): void => void turnsOfLoop().then(done);
    const timer = milliseconds > 0 ? setTimeout(look, milliseconds) : undefined;
    waiting.add(done);
    if (timer === undefined) look();
  });
}

/** One in which a connection is taken, one in which its first words are read, and one for what began in the midst of a turn. */
async function turnsOfLoop(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}
