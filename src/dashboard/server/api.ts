import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import * as v from 'valibot';
import { approvalDecisions } from '../../approvals/types.ts';
import { HoldfastError } from '../../errors/index.ts';
import { acceptByPolicy } from '../../staged/session/accept-by-policy.ts';
import { discardJournalled, type LayerPaths } from '../../staged/session/layer-work.ts';
import { listLayersOf } from '../../staged/session/list-staged.ts';
import { recoverFirst } from '../../staged/session/recover-first.ts';
import { type Review, reviewOfLayer } from '../../staged/session/review-layer.ts';
import { reviewLines } from '../../staged/session/review-lines.ts';
import { openLayer } from '../../staged/store/open-layer.ts';
import type { StagedChange, StagedLayer } from '../../staged/types.ts';
import { shownOnPage } from '../feed/network-tally.ts';
import { groupings, ranges } from '../usage/types.ts';
import type { LayerList, LayerReview, ReviewLine, StreamMessage } from '../wire.ts';
import type { LiveTopic, Live } from './live.ts';

const number = v.pipe(v.string(), v.regex(/^\d{1,12}$/u), v.transform(Number));
const sessionName = v.pipe(v.string(), v.regex(/^[\w.-]{1,80}$/u));
const eventQuery = v.object({
  text: v.optional(v.pipe(v.string(), v.maxLength(200)), ''),
  types: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(400),
      v.transform((text) => text.split(',').filter((type) => type !== '')),
    ),
    '',
  ),
  session: v.optional(v.pipe(v.string(), v.maxLength(80)), ''),
  from: v.union([v.literal('newest'), number]),
  count: v.pipe(number, v.minValue(1), v.maxValue(500)),
});
const usageQuery = v.object({ range: v.picklist(ranges), by: v.picklist(groupings) });
const answer = v.object({
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u)),
  decision: v.picklist(approvalDecisions),
  code: v.optional(v.pipe(v.string(), v.regex(/^\d{6}$/u))),
});
const choice = v.object({ digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u)) });

/** The requests that need a pass. */
export function apiRoutes(live: Live, ground: LayerPaths): Hono {
  return new Hono()
    .get('/stream', (context) => {
      if (live.pages >= mostPages)
        throw new HoldfastError('HF_USAGE', `${mostPages} pages are open already`, { remedy: 'close one' });
      return streamSSE(context, pageServer(live));
    })
    .get('/usage', async (context) => context.json(await live.feed.usage(parse(usageQuery, context.req.query()))))
    .get('/events', async (context) => context.json(await live.feed.page(parse(eventQuery, context.req.query()))))
    .get('/events/:seq', async (context) => {
      const detail = await live.feed.detail(parse(number, context.req.param('seq')));
      return detail === undefined
        ? context.json(
            { code: 'HF_USAGE', message: 'the journal has no such event', remedy: 'it may have been rotated away' },
            404,
          )
        : context.json(detail);
    })
    .get('/report/:session', (context) =>
      context.json({ html: live.feed.report(parse(sessionName, context.req.param('session'))) }),
    )
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
  throw new HoldfastError('HF_USAGE', `the request is not understood: ${result.issues[0].message}`, {
    remedy: 'reload the page',
  });
}

/**
 * Returns the server of one page until it disconnects. A message has the state at the time of sending, so a slow page
 * gets fewer messages, never a queue of old ones. Throws the errors of `watchApprovals`.
 */
function pageServer(live: Live): (stream: SSEStreamingApi) => Promise<void> {
  const changed = new Set<LiveTopic>(['events', 'summary', 'approvals']);
  let wake = (): void => {};
  const detach = live.attach((channel) => {
    changed.add(channel);
    wake();
  });
  return (stream) => {
    stream.onAbort(() => wake());
    return serve(stream, {
      live,
      changed,
      nextChange: () => new Promise((resolve) => (wake = () => resolve('changed'))),
    }).finally(detach);
  };
}

interface Served {
  readonly live: Live;
  readonly changed: Set<LiveTopic>;
  readonly nextChange: () => Promise<'changed'>;
}

async function serve(stream: SSEStreamingApi, { live, changed, nextChange }: Served): Promise<void> {
  while (!stream.aborted && !stream.closed) {
    const channels = [...changed];
    changed.clear();
    for (const channel of channels) await stream.writeSSE({ data: JSON.stringify(messageOf(channel, live)) });
    await stream.sleep(batchFor);
    if (changed.size > 0 || stream.aborted) continue;
    const why = await Promise.race([nextChange(), stream.sleep(aliveEvery).then(() => 'late' as const)]);
    // Killed sessions write no event, so the server checks whether they are alive.
    if (why === 'late') changed.add('summary');
  }
}

/** The page could draw 60 frames a second, but nobody reads more than a few messages. */
const batchFor = 100;
const aliveEvery = 3000;

function messageOf(channel: LiveTopic, live: Live): StreamMessage {
  switch (channel) {
    case 'events':
      return { kind: 'events', ...live.feed.extent };
    case 'summary':
      return { kind: 'summary', summary: live.feed.summary() };
    case 'approvals':
      return { kind: 'approvals', pending: live.pending() };
  }
}

async function listLayers({ paths }: LayerPaths): Promise<LayerList> {
  recoverFirst(paths.state);
  const { layers, problems } = await listLayersOf(paths.state);
  return {
    layers: layers.map((layer) => ({ ...layer, workspace: shownOnPage(layer.workspace) })),
    problems: problems.map(({ id, error: { message, remedy } }) => ({
      id: shownOnPage(id),
      message: shownOnPage(message),
      remedy: shownOnPage(remedy),
    })),
  };
}

/** Returns a layer's current changes, as `holdfast review` prints them, up to a few thousand lines. */
export function reviewOf(id: string, ground: LayerPaths): LayerReview {
  return show(currentReview(id, ground));
}

/** Throws `HF_STAGED_CONFLICT` if the review has changed since `digest`. */
export function acceptShown(
  id: string,
  digest: string,
  ground: LayerPaths,
): { readonly accepted: number; readonly left: number } {
  const { accepted, left } = acceptByPolicy(layerAsShown(id, digest, ground), ground, {
    otherwise: 'nothing',
    conflicts: 'leave',
  });
  return { accepted: accepted.length, left };
}

/** Like `acceptShown`. */
export function discardShown(id: string, digest: string, ground: LayerPaths): void {
  discardJournalled(layerAsShown(id, digest, ground), ground, undefined);
}

function currentReview(id: string, { paths, environment }: LayerPaths): Review {
  recoverFirst(paths.state);
  return reviewOfLayer(openLayer(paths.state, id), { environment });
}

/** A box may have written to the layer since the review, and a yes covers only the changes that were shown. */
function layerAsShown(id: string, digest: string, ground: LayerPaths): StagedLayer {
  const review = currentReview(id, ground);
  if (show(review).digest === digest) return review.layer;
  throw new HoldfastError('HF_STAGED_CONFLICT', 'the layer or the host has changed since this review was shown', {
    remedy: 'look at the review again, then decide',
  });
}

function show(review: Review): LayerReview {
  const { layer, changes, counts } = review;
  const { lines, omitted } = linesOf(review);
  const hash = createHash('sha256').update(JSON.stringify([layer.id, lines, omitted]));
  for (const change of changes)
    hash.update(
      JSON.stringify(factsOf(change), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    );
  return {
    id: layer.id,
    digest: hash.digest('hex'),
    lines,
    omitted,
    changes: changes.length,
    conflicts: counts.conflicts,
    refused: counts.refused,
  };
}

function linesOf(review: Review): Pick<LayerReview, 'lines' | 'omitted'> {
  const lines: ReviewLine[] = [];
  let omitted = 0;
  for (const { kind, text } of reviewLines(review, 'patch')) {
    if (lines.length < mostLines) lines.push({ kind, text: shownOnPage(text, longestLine) });
    else omitted += 1;
    if (omitted === mostCounted) break;
  }
  return { lines, omitted };
}

function factsOf({ root, path, kind, from, before, after, conflict, refusal }: StagedChange): object {
  return {
    root: root.root,
    path: path.toString('hex'),
    kind,
    from: from?.toString('hex'),
    before,
    after,
    conflict,
    refusal,
  };
}

const mostLines = 5000;
/** Beyond this, exact counts are of no use. */
const mostCounted = 100_000;
const longestLine = 2000;
