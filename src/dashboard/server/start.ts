/**
 * The dashboard room: one local page that shows sessions, approvals, refusals, the network, staged changes and the
 * journal, and the server behind it.
 *
 * It decides nothing. It shows the journal, the approvals' sockets and the staged layers, and acts through the
 * functions that the command line uses. Every text from a box, a repository or a server is filtered before it leaves
 * this process. A program that knows only the address cannot connect: the gate, the entrance and the headers are in
 * `server`.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { whyNoPort } from '../../errors/why-no-port.ts';
import type { LayerPaths } from '../../staged/session/layer-work.ts';
import { Feed } from '../feed/feed.ts';
import { shownLines } from '../feed/network-tally.ts';
import type { ReadSettings } from '../usage/budget-lines.ts';
import type { ApiFailure, ConnectApprovals } from '../wire.ts';
import { apiRoutes } from './api.ts';
import { Entrance } from './entrance.ts';
import { Live } from './live.ts';

export interface DashboardOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** Directory of the built page. */
  readonly assets: string;
  readonly ground: LayerPaths;
  readonly approvals: ConnectApprovals;
  /** Reads the policy's budgets. Default: no budgets are shown. */
  readonly settings?: ReadSettings;
  /** Milliseconds without a page after which the server ends. */
  readonly idle?: number;
}

export interface Dashboard {
  readonly port: number;
  /** Returns a link that opens the page once. An unused earlier link becomes invalid. */
  link(): string;
  /** Resolves when the server has ended by itself, because no page was open for a long time. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves the dashboard only on 127.0.0.1. Throws `HF_USAGE` if the port is in use. */
export async function startDashboard({
  port = 0,
  assets,
  ground,
  approvals,
  settings,
  idle = defaultIdle,
}: DashboardOptions): Promise<Dashboard> {
  const files = loadAssets(assets);
  const live = new Live(new Feed(ground.paths.journal, settings), approvals);
  const server = createServer({ maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 30_000 });
  server.maxConnections = 64;
  const bound = await listen(server, port);
  live.look();
  const entrance = new Entrance();
  server.on(
    'request',
    getRequestListener(dashboardApp({ port: bound, assets: files, entrance, live, ground }).fetch, {
      overrideGlobalObjects: false,
    }),
  );
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
    throw new HoldfastError('HF_USAGE', `port ${port} cannot be used: ${whyNoPort(error)}`, {
      remedy: 'leave --port out to use a free one',
      cause: error,
    });
  }
}

interface AppOptions {
  readonly port: number;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly entrance: Entrance;
  readonly live: Live;
  readonly ground: LayerPaths;
}

type Bindings = { readonly Bindings: HttpBindings };

/** Every request passes the gate. Below `/api`, every request except the exchange of the token also needs a pass. */
function dashboardApp({ port, assets, entrance, live, ground }: AppOptions): Hono<Bindings> {
  const cookieName = `holdfast-${port}`;
  const app = new Hono<Bindings>();
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
    const refusal = gateRefusal(factsOf(context), `127.0.0.1:${port}`);
    return refusal === undefined ? await next() : context.text(`${refusal}\n`, 403);
  });
  app.use(bodyLimit({ maxSize: largestBody, onError: (context) => context.text('too large\n', 413) }));
  app.post('/api/enter', async (context) => {
    const { token } = (await context.req.json<{ readonly token?: unknown } | null>()) ?? {};
    const pass = typeof token === 'string' ? entrance.exchange(token) : undefined;
    if (pass === undefined) return context.json(usedLink, 403);
    setCookie(context, cookieName, pass.cookie, { httpOnly: true, sameSite: 'Strict', path: '/api' });
    return context.json({ key: pass.key });
  });
  app.use('/api/*', async (context, next) => {
    const isAdmitted = entrance.admits({
      cookie: getCookie(context, cookieName) ?? '',
      key: context.req.header('holdfast-key') ?? '',
    });
    return isAdmitted ? await next() : context.json(usedLink, 403);
  });
  app.route('/api', apiRoutes(live, ground));
  for (const [path, { type, body }] of assets)
    app.get(path, (context) => context.body(new Uint8Array(body), 200, { 'content-type': type }));
  app.onError((error, context) => context.json(failureOf(error), isHoldfastError(error) ? 409 : 500));
  app.notFound((context) => context.text('not found\n', 404));
  return app;
}

const largestBody = 16_384;
const usedLink: ApiFailure = {
  code: 'HF_USAGE',
  message: 'this link was used before, or is no longer valid',
  remedy: 'press Enter where `holdfast dashboard` runs for a new link, or start it again',
};

function factsOf({ req, env }: Context<Bindings>): Parameters<typeof gateRefusal>[0] {
  return {
    method: req.method,
    target: env.incoming.url ?? '',
    host: req.header('host'),
    origin: req.header('origin'),
    site: req.header('sec-fetch-site'),
    mode: req.header('sec-fetch-mode'),
    destination: req.header('sec-fetch-dest'),
    contentType: req.header('content-type'),
  };
}

function failureOf(error: unknown): ApiFailure {
  if (isHoldfastError(error))
    return { code: error.code, message: shownLines(error.message), remedy: shownLines(error.remedy) };
  return {
    code: 'HF_INTERNAL',
    message: shownLines(String(error)),
    remedy: 'reload the page; if it stays so, please report it',
  };
}

/**
 * Sent with every answer. Scripts and styles come only from this server's own files. The page cannot be framed, sends
 * nothing elsewhere, and no string becomes markup (Trusted Types).
 */
const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), clipboard-read=()',
  'cache-control': 'no-store',
};

/** Facts about a request that the browser sets itself, so that the page behind the request cannot fake them. */
export interface RequestFacts {
  readonly method: string;
  /** As in the request line. */
  readonly target: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, `Sec-Fetch-Mode` and `Sec-Fetch-Dest`: no script can set them. */
  readonly site: string | undefined;
  readonly mode: string | undefined;
  readonly destination: string | undefined;
  readonly contentType: string | undefined;
}

/**
 * Returns the reason to refuse a request before its content is read, or undefined. `authority` is `127.0.0.1:PORT`,
 * exactly as the server was opened.
 */
export function gateRefusal(facts: RequestFacts, authority: string): string | undefined {
  return rules.find(({ holds }) => !holds(facts, authority))?.message;
}

interface Rule {
  readonly message: string;
  holds(facts: RequestFacts, authority: string): boolean;
}

const rules: readonly Rule[] = [
  // DNS rebinding: if another name resolves to this server, the browser still sends that name.
  { message: 'this server has another name', holds: ({ host }, authority) => host === authority },
  { message: 'expected a path', holds: ({ target }) => target.startsWith('/') && !target.startsWith('//') },
  { message: 'expected GET or POST', holds: ({ method }) => method === 'GET' || method === 'POST' },
  // Another port of 127.0.0.1 is the same site, with the same cookies, but another origin. A server in a box may listen
  // there.
  {
    message: 'requests from another origin are refused',
    holds: ({ origin }, authority) => origin === undefined || origin === `http://${authority}`,
  },
  { message: 'requests from another page are refused', holds: isOwnOrNavigation },
  {
    message: 'a request for a change must name its origin',
    holds: ({ method, origin }) => method !== 'POST' || origin !== undefined,
  },
  // A form can send text/plain to any server without a preflight request.
  {
    message: 'expected application/json',
    holds: ({ method, contentType }) => method !== 'POST' || contentType === 'application/json',
  },
];

/** Links open only the page itself, which contains no data. Only the page requests data. */
function isOwnOrNavigation({ target, site, mode, destination }: RequestFacts): boolean {
  if (site === undefined || site === 'same-origin') return true;
  if (target !== '/') return site === 'none' && !target.startsWith('/api/');
  return mode === 'navigate' && destination === 'document';
}

interface Asset {
  readonly type: string;
  readonly body: Buffer;
}

/** Returns the page's files by path, read once. Throws `HF_USAGE` if they were not built. */
function loadAssets(directory: string): ReadonlyMap<string, Asset> {
  return new Map(files.map(([path, name, type]) => [path, { type, body: read(join(directory, name)) }]));
}

/** The server serves only these files. The path of a request never becomes a path on the disk. */
const files: readonly (readonly [path: string, name: string, type: string])[] = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/page.js', 'page.js', 'text/javascript; charset=utf-8'],
  ['/page.css', 'page.css', 'text/css; charset=utf-8'],
  ['/icon.svg', 'icon.svg', 'image/svg+xml'],
];

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new HoldfastError('HF_USAGE', `the dashboard's page is not built: ${file} cannot be read`, {
      remedy: 'reinstall holdfast, or run `npm run build` in a clone',
      cause: error,
    });
  }
}
