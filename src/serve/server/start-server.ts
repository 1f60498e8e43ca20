import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { prepareToKnowPeers } from '../../approvals/socket/socket-place.ts';
import type { MetricsListener } from '../metrics/listen.ts';
import type { MetricsOptions } from '../metrics/open-metrics.ts';
import { claimPlace, listenAt, socketName } from '../place.ts';
import { openServer, type OpenServer } from './open-server.ts';

export interface ServerOptions {
  /** As in `StatePaths`. The socket is in it. */
  readonly runtime: string;
  /** Default: no metrics. */
  readonly metrics?: MetricsOptions;
}

export interface RunningServer {
  /** Path of the socket. */
  readonly socket: string;
  /** URL of the metrics. */
  readonly metrics?: string;
  /** Resolves when all commands, sessions and connections have ended. */
  readonly ended: Promise<void>;
  /** Ends all commands, sessions and connections. */
  end(): Promise<void>;
}

/**
 * Serves this user's sandboxes at a socket, only to processes of the same user outside of boxes. Throws
 * `HF_SERVE_RUNNING` while another process does, `HF_STATE_UNWRITABLE` if the directory cannot be trusted, and the
 * errors of `openMetrics`.
 */
export async function startServer({ runtime, metrics }: ServerOptions): Promise<RunningServer> {
  const claim = claimPlace(runtime);
  prepareToKnowPeers();
  const socketPath = join(runtime, socketName);
  let ending: Promise<void> | undefined;
  let listener: MetricsListener | undefined;
  let resolveEnded = (): void => undefined;
  const ended = new Promise<void>((resolve) => (resolveEnded = resolve));
  const finish = async (): Promise<void> => {
    server.close();
    rmSync(socketPath, { force: true });
    await Promise.all([open.close(), listener?.close()]);
    claim.release();
    resolveEnded();
  };
  const end = (): Promise<void> => (ending ??= finish());
  const open = openServer(() => void end());
  const server = createServer((socket) => open.accept(socket));
  try {
    listener = await listenForMetrics(metrics, open);
    await listenAt(server, runtime);
  } catch (error) {
    await listener?.close();
    claim.release();
    throw error;
  }
  return { socket: socketPath, ...(listener === undefined ? {} : { metrics: listener.url }), ended, end };
}

/** Lazy, because most servers have no metrics. */
async function listenForMetrics(
  options: MetricsOptions | undefined,
  server: OpenServer,
): Promise<MetricsListener | undefined> {
  if (options === undefined) return undefined;
  const { openMetrics } = await import('../metrics/open-metrics.ts');
  return openMetrics(options, () => server.facts());
}
