import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { prepareToKnowPeers } from '../../approvals/socket/socket-place.ts';
import { claimPlace, listenAt, socketName } from '../place.ts';
import { openServer } from './open-server.ts';

export interface ServerOptions {
  /** As in `StatePaths`: the socket is in it. */
  readonly runtime: string;
}

export interface RunningServer {
  /** Path of the socket. */
  readonly socket: string;
  /** Resolves when it has ended: every command, every session and every connection. */
  readonly ended: Promise<void>;
  /** Ends all of that. */
  end(): Promise<void>;
}

/**
 * Serves this user's sandboxes at a socket, which only processes of the same user outside of boxes are heard at. Throws
 * `HF_SERVE_RUNNING` while another one does, and `HF_STATE_UNWRITABLE` where the directory cannot be relied on.
 */
export async function startServer({ runtime }: ServerOptions): Promise<RunningServer> {
  const claim = claimPlace(runtime);
  prepareToKnowPeers();
  const socketPath = join(runtime, socketName);
  let ending: Promise<void> | undefined;
  let resolveEnded = (): void => undefined;
  const ended = new Promise<void>((resolve) => (resolveEnded = resolve));
  const finish = async (): Promise<void> => {
    server.close();
    rmSync(socketPath, { force: true });
    await open.close();
    claim.release();
    resolveEnded();
  };
  const end = (): Promise<void> => (ending ??= finish());
  const open = openServer(() => void end());
  const server = createServer((socket) => open.accept(socket));
  try {
    await listenAt(server, runtime);
  } catch (error) {
    claim.release();
    throw error;
  }
  return { socket: socketPath, ended, end };
}
