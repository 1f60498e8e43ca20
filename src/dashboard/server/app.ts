import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { isHoldfastError } from '../../errors/index.ts';
import type { Ground } from '../../sandbox/staged/layer-work.ts';
import { shownLines } from '../feed/shown.ts';
import type { Failure } from '../wire.ts';
import { apiRoutes } from './api.ts';
import type { Asset } from './assets.ts';
import type { Entrance } from './entrance.ts';
import { gateRefusal } from './gate.ts';
import { securityHeaders } from './headers.ts';
import type { Live } from './live.ts';

export interface AppOptions {
  readonly port: number;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly entrance: Entrance;
  readonly live: Live;
  readonly ground: Ground;
}

type Bindings = { readonly Bindings: HttpBindings };

/** Every request passes the gate; below `/api`, all but the exchange of the token need a pass as well. */
export function dashboardApp({ port, assets, entrance, live, ground }: AppOptions): Hono<Bindings> {
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
    const isAdmitted = entrance.admits({ cookie: getCookie(context, cookieName) ?? '', key: context.req.header('holdfast-key') ?? '' });
    return isAdmitted ? await next() : context.json(usedLink, 403);
  });
  app.route('/api', apiRoutes(live, ground));
  for (const [path, { type, body }] of assets) app.get(path, (context) => context.body(new Uint8Array(body), 200, { 'content-type': type }));
  app.onError((error, context) => context.json(failureOf(error), isHoldfastError(error) ? 409 : 500));
  app.notFound((context) => context.text('not found\n', 404));
  return app;
}

const largestBody = 16_384;
const usedLink: Failure = { code: 'HF_USAGE', message: 'this link was used before, or is no longer good', remedy: 'press Enter where `holdfast dashboard` runs for a new link, or start it again' };

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

function failureOf(error: unknown): Failure {
  if (isHoldfastError(error)) return { code: error.code, message: shownLines(error.message), remedy: shownLines(error.remedy) };
  return { code: 'HF_INTERNAL', message: shownLines(String(error)), remedy: 'reload the page; if it stays so, please report it' };
}
