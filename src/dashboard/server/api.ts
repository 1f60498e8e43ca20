import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import * as v from 'valibot';
import { decisions } from '../../approvals/types.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { Ground } from '../../sandbox/staged/layer-work.ts';
import { acceptShown, discardShown, listLayers, reviewOf } from '../layers.ts';
import { groupings, ranges } from '../usage/types.ts';
import type { Live } from './live.ts';
import { pageServer } from './stream.ts';

const number = v.pipe(v.string(), v.regex(/^\d{1,12}$/u), v.transform(Number));
const sessionName = v.pipe(v.string(), v.regex(/^[\w.-]{1,80}$/u));
const eventQuery = v.object({
  text: v.optional(v.pipe(v.string(), v.maxLength(200)), ''),
  types: v.optional(v.pipe(v.string(), v.maxLength(400), v.transform((text) => text.split(',').filter((type) => type !== ''))), ''),
  session: v.optional(v.pipe(v.string(), v.maxLength(80)), ''),
  from: v.union([v.literal('newest'), number]),
  count: v.pipe(number, v.minValue(1), v.maxValue(500)),
});
const usageQuery = v.object({ range: v.picklist(ranges), by: v.picklist(groupings) });
const answer = v.object({ hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u)), decision: v.picklist(decisions), code: v.optional(v.pipe(v.string(), v.regex(/^\d{6}$/u))) });
const choice = v.object({ digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u)) });

/** What is behind the entrance. */
export function apiRoutes(live: Live, ground: Ground): Hono {
  return new Hono()
    .get('/stream', (context) => {
      if (live.pages >= mostPages) throw new HoldfastError('HF_USAGE', `${mostPages} pages are open already`, { remedy: 'close one' });
      return streamSSE(context, pageServer(live));
    })
    .get('/usage', async (context) => context.json(await live.feed.usage(parse(usageQuery, context.req.query()))))
    .get('/events', async (context) => context.json(await live.feed.page(parse(eventQuery, context.req.query()))))
    .get('/events/:seq', async (context) => {
      const detail = await live.feed.detail(parse(number, context.req.param('seq')));
      return detail === undefined ? context.json({ code: 'HF_USAGE', message: 'the journal has no such event', remedy: 'it may have been rotated away' }, 404) : context.json(detail);
    })
    .get('/report/:session', (context) => context.json({ html: live.feed.report(parse(sessionName, context.req.param('session'))) }))
    .post('/approvals', async (context) => {
      const { code, ...given } = parse(answer, await context.req.json());
      const result = await live.approvals?.answer({ ...given, ...(code === undefined ? {} : { code }) });
      return context.json(result ?? { kind: 'unknown' });
    })
    .get('/layers', async (context) => context.json(await listLayers(ground)))
    .get('/layers/:id', (context) => context.json(reviewOf(context.req.param('id'), ground)))
    .post('/layers/:id/accept', async (context) => {
      const { digest } = parse(choice, await context.req.json());
      return context.json(acceptShown(context.req.param('id'), digest, ground));
    })
    .post('/layers/:id/discard', async (context) => {
      const { digest } = parse(choice, await context.req.json());
      discardShown(context.req.param('id'), digest, ground);
      return context.json({});
    });
}

const mostPages = 16;

function parse<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new HoldfastError('HF_USAGE', `the request is not understood: ${result.issues[0].message}`, { remedy: 'reload the page' });
}
