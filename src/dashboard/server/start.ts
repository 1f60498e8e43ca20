import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { HoldfastError } from '../../errors/index.ts';
import type { Ground } from '../../sandbox/staged/layer-work.ts';
import type { OpenApprovals } from '../approvals-client.ts';
import { Feed } from '../feed/feed.ts';
import type { ReadSettings } from '../usage/budget-lines.ts';
import { dashboardApp } from './app.ts';
import { loadAssets } from './assets.ts';
import { Entrance } from './entrance.ts';
import { Live } from './live.ts';

export interface DashboardOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** Where the built page lies. */
  readonly assets: string;
  readonly ground: Ground;
  readonly approvals: OpenApprovals;
  /** Of whom budgets are shown. Default: nobody. */
  readonly settings?: ReadSettings;
  /** Milliseconds without any page after which the server ends. */
  readonly idle?: number;
}

export interface Dashboard {
  readonly port: number;
  /** A link that opens the page once. The one before it, if it was not used, is worthless from now on. */
  link(): string;
  /** Resolves when the server has ended by itself, because nobody looked at it for long. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves the dashboard on 127.0.0.1 and nowhere else. Throws `HF_USAGE` for a port that is taken. */
export async function startDashboard({ port = 0, assets, ground, approvals, settings, idle = defaultIdle }: DashboardOptions): Promise<Dashboard> {
  const files = loadAssets(assets);
  const live = new Live(new Feed(ground.paths.journal, settings), approvals);
  const server = createServer({ maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 30_000 });
  server.maxConnections = 64;
  const bound = await listen(server, port);
  live.look();
  const entrance = new Entrance();
  server.on('request', getRequestListener(dashboardApp({ port: bound, assets: files, entrance, live, ground }).fetch, { overrideGlobalObjects: false }));
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const close = async (): Promise<void> => {
    clearInterval(watch);
    live.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    end();
  };
  const watch = setInterval(() => void (live.idleFor > idle && close()), Math.min(idle, 10_000));
  return { port: bound, link: () => `http://127.0.0.1:${bound}/#${entrance.mint()}`, ended, close };
}

const defaultIdle = 30 * 60 * 1000;

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen({ host: '127.0.0.1', port, exclusive: true });
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    throw new HoldfastError('HF_USAGE', `port ${port} cannot be had: ${(error as NodeJS.ErrnoException).code}`, { remedy: 'leave --port away for a free one', cause: error });
  }
}
