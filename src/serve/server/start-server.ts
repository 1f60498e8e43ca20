import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isOwnPeer, prepareToKnowPeers } from '../../approvals/socket/peer.ts';
import { limits } from '../limits.ts';
import { claimPlace, listenAt, serverNames, type PlaceNames } from '../place.ts';
import { HookAnswers } from './hook-answers.ts';
import { ServedCommands } from './served-commands.ts';
import { serveClient, type ServedClient } from './serve-client.ts';
import { ServedSessions } from './served-sessions.ts';

export interface ServerOptions {
  /** As in `StatePaths`: the socket is in it. */
  readonly runtime: string;
  /** Default: those of the server that a person starts. */
  readonly names?: PlaceNames;
}

export interface RunningServer {
  /** Path of the socket. */
  readonly socket: string;
  /** Whether somebody is connected, or has a session. */
  readonly isBusy: () => boolean;
  /** Resolves when it has ended: every command, every session and every connection. */
  readonly ended: Promise<void>;
  /** Ends all of that. */
  end(): Promise<void>;
}

/**
 * Serves this user's sandboxes at a socket, which only processes of the same user outside of boxes are heard at. Throws `HF_SERVE_RUNNING` while another
 * one does, and `HF_STATE_UNWRITABLE` where the directory cannot be relied on.
 */
export async function startServer({ runtime, names = serverNames }: ServerOptions): Promise<RunningServer> {
  const claim = claimPlace(runtime, names);
  prepareToKnowPeers();
  const [sessions, commands, clients] = [new ServedSessions(), new ServedCommands(), new Set<ServedClient>()];
  const socketPath = join(runtime, names.socket);
  let ending: Promise<void> | undefined;
  let resolveEnded = (): void => undefined;
  const ended = new Promise<void>((resolve) => (resolveEnded = resolve));
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (ending !== undefined || clients.size >= limits.clients || !isOwnPeer(socket)) return void socket.destroy();
    const client = serveClient(socket, state, () => clients.delete(client));
    clients.add(client);
  });
  const finish = async (): Promise<void> => {
    server.close();
    rmSync(socketPath, { force: true });
    await sessions.closeAll();
    // What the commands ended with is told in this turn of the event loop.
    await setImmediate();
    for (const client of clients) client.end();
    claim.release();
    resolveEnded();
  };
  const end = (): Promise<void> => (ending ??= finish());
  const state = { sessions, commands, hooks: new HookAnswers(), startedAt: Date.now(), end: () => void setImmediate().then(end) };
  try {
    await listenAt(server, runtime, names.socket);
  } catch (error) {
    claim.release();
    throw error;
  }
  return { socket: socketPath, isBusy: () => clients.size > 0 || sessions.isOpen(), ended, end };
}
