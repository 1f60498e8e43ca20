import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { isOwnPeer } from '../../approvals/socket/peer.ts';
import { limits } from '../limits.ts';
import { HookAnswers } from './hook-answers.ts';
import type { ListedRun } from './listed.ts';
import { ServedCommands } from './served-commands.ts';
import { serveClient, type ServedClient } from './serve-client.ts';
import { ServedSessions } from './served-sessions.ts';

/** What answers clients, wherever they come in. */
export interface OpenServer {
  /** Serves a connection, or ends it where it is nobody's who may ask. */
  accept(socket: Socket): void;
  /** Whether somebody is connected, or has a session. */
  isBusy(): boolean;
  /** Ends every command, every session and every connection, in this order. */
  close(): Promise<void>;
}

/** `end`: what a client asks for that ends the server. `runs`: those of a resident supervisor. */
export function openServer(end: () => void, runs: () => readonly ListedRun[] = () => []): OpenServer {
  const [sessions, commands, clients] = [new ServedSessions(), new ServedCommands(), new Set<ServedClient>()];
  const state = { sessions, commands, hooks: new HookAnswers(), runs, startedAt: Date.now(), end: () => void setImmediate().then(end) };
  let ending = 'no';
  return {
    accept(socket) {
      socket.on('error', () => socket.destroy());
      if (ending === 'yes' || clients.size >= limits.clients || !isOwnPeer(socket)) return void socket.destroy();
      const client = serveClient(socket, state, () => clients.delete(client));
      clients.add(client);
    },
    isBusy: () => clients.size > 0 || sessions.isOpen(),
    async close() {
      ending = 'yes';
      await sessions.closeAll();
      // What the commands ended with is told in this turn of the event loop.
      await setImmediate();
      for (const client of clients) client.end();
    },
  };
}
