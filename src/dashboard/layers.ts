import { createHash } from 'node:crypto';
import { HoldfastError } from '../errors/index.ts';
import { acceptByPolicy } from '../sandbox/staged/accept-by-policy.ts';
import { discardJournalled, type Ground } from '../sandbox/staged/layer-work.ts';
import { listLayersOf } from '../sandbox/staged/list-staged.ts';
import { recoverFirst } from '../sandbox/staged/recover-first.ts';
import { reviewLayer, type Review } from '../sandbox/staged/review-layer.ts';
import { reviewLines } from '../sandbox/staged/review-lines.ts';
import { openLayer } from '../staged/store/index.ts';
import type { Change, StagedLayer } from '../staged/types.ts';
import { shown } from './feed/shown.ts';
import type { LayerList, LayerReview, ReviewLine } from './wire.ts';

export async function listLayers({ paths }: Ground): Promise<LayerList> {
  recoverFirst(paths.state);
  const { layers, problems } = await listLayersOf(paths.state);
  return {
    layers: layers.map((layer) => ({ ...layer, workspace: shown(layer.workspace) })),
    problems: problems.map(({ id, error: { message, remedy } }) => ({ id: shown(id), message: shown(message), remedy: shown(remedy) })),
  };
}

/** What a layer would change now, as `holdfast review` prints it, up to some thousand lines. */
export function reviewOf(id: string, ground: Ground): LayerReview {
  return show(currentReview(id, ground));
}

/** Throws `HF_STAGED_CONFLICT` when the review that `digest` names is not what it would be now. */
export function acceptShown(id: string, digest: string, ground: Ground): { readonly accepted: number; readonly left: number } {
  const { accepted, left } = acceptByPolicy(layerAsShown(id, digest, ground), ground, { otherwise: 'nothing', conflicts: 'leave' });
  return { accepted: accepted.length, left };
}

/** As `acceptShown`. */
export function discardShown(id: string, digest: string, ground: Ground): void {
  discardJournalled(layerAsShown(id, digest, ground), ground, undefined);
}

function currentReview(id: string, { paths, environment }: Ground): Review {
  recoverFirst(paths.state);
  return reviewLayer(openLayer(paths.state, id), { environment });
}

/** A box may have written to the layer since somebody looked, and a yes is to what they saw. */
function layerAsShown(id: string, digest: string, ground: Ground): StagedLayer {
  const review = currentReview(id, ground);
  if (show(review).digest === digest) return review.layer;
  throw new HoldfastError('HF_STAGED_CONFLICT', 'the layer or the host has changed since this review was shown', { remedy: 'look at the review again, then decide' });
}

function show(review: Review): LayerReview {
  const { layer, changes, counts } = review;
  const { lines, omitted } = linesOf(review);
  const hash = createHash('sha256').update(JSON.stringify([layer.id, lines, omitted]));
  for (const change of changes) hash.update(JSON.stringify(factsOf(change), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));
  return { id: layer.id, digest: hash.digest('hex'), lines, omitted, changes: changes.length, conflicts: counts.conflicts, refused: counts.refused };
}

function linesOf(review: Review): Pick<LayerReview, 'lines' | 'omitted'> {
  const lines: ReviewLine[] = [];
  let omitted = 0;
  for (const { kind, text } of reviewLines(review, 'patch')) {
    if (lines.length < mostLines) lines.push({ kind, text: shown(text, longestLine) });
    else omitted += 1;
    if (omitted === mostCounted) break;
  }
  return { lines, omitted };
}

function factsOf({ root, path, kind, from, before, after, conflict, refusal }: Change): object {
  return { root: root.root, path: path.toString('hex'), kind, from: from?.toString('hex'), before, after, conflict, refusal };
}

const mostLines = 5000;
/** Beyond it nobody counts on. */
const mostCounted = 100_000;
const longestLine = 2000;
