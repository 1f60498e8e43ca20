import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { prepareToKnowPeers } from '../../approvals/socket/socket-place.ts';
import { claimPlace, listenAt, socketName } from '../place.ts';
import { openServer } from './open-server.ts';

export interface ServerOptions {
  /** As in `StatePaths`. The socket is in it. */
  readonly runtime: string;
}

export interface RunningServer {
  /** Path of the socket. */
  readonly socket: string;
  /** Resolves when all commands, sessions and connections have ended. */
  readonly ended: Promise<void>;
  /** Ends all commands, sessions and connections. */
  end(): Promise<void>;
}

/**
 * Serves this user's sandboxes at a socket, only to processes of the same user outside of boxes. Throws
 * `HF_SERVE_RUNNING` while another process does, and `HF_STATE_UNWRITABLE` if the directory cannot be trusted.
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
