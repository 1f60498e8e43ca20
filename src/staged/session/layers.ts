import { homedir } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import type { FilePath } from '../../files/index.ts';
import { statePaths, type StatePaths } from '../../place/host/state-paths.ts';
import type { AcceptReport } from './accept-by-policy.ts';
import type { DiscardReport } from '../apply/discard.ts';
import type { UndoReport } from '../apply/undo.ts';
import type { StagedList } from './list-staged.ts';
import type { Review } from './review-layer.ts';
import type { Detail } from './review-lines.ts';

export interface LayerOptions {
  /** Variables that locate layers and policies: `XDG_STATE_HOME`, `XDG_CONFIG_HOME`. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface LayerPathsOptions extends LayerOptions {
  /**
   * Paths on the host, with everything in them. Relative ones start at the process's working directory. Default: all
   * changes.
   */
  readonly paths?: readonly FilePath[];
}

/** Treatment of changes that are refused, or that conflict with the host. */
export interface AcceptChoice {
  /** `nothing`: accepts nothing, and throws. `rest`: accepts all other changes. Default: `nothing`. */
  readonly otherwise?: 'nothing' | 'rest';
  /** `overwrite`: also replaces newer entries on the host, which `undoAccept` can bring back. Default: `leave`. */
  readonly conflicts?: 'leave' | 'overwrite';
}

/**
 * Lists the staged layers of this user, newest first. With `workspace`, its real path, only those over it.
 *
 * @example
 * for (const { id, changed } of (await listStaged({ workspace: '/srv/project' })).layers) console.log(id, changed);
 */
export async function listStaged({
  workspace,
  environment,
}: LayerOptions & { readonly workspace?: string } = {}): Promise<StagedList> {
  const { listLayersOf } = await import('./list-staged.ts');
  return listLayersOf(groundOf(environment).paths.state, workspace);
}

/**
 * Returns the changes that a layer would make to the host as it is now. A box may use the layer meanwhile. Throws
 * `HF_STAGED_INVALID`, and `HF_USAGE` for a path without a change.
 *
 * @example
 * const { changes, counts } = await reviewLayer(id);
 */
export async function reviewLayer(id: string, { paths, environment }: LayerPathsOptions = {}): Promise<Review> {
  const ground = groundOf(environment);
  const [store, review] = await Promise.all([import('../store/open-layer.ts'), import('./review-layer.ts')]);
  return review.reviewOfLayer(store.openLayer(ground.paths.state, id), {
    environment: ground.environment,
    ...pathsOf(paths),
  });
}

/**
 * Yields a review line by line, as `holdfast review` prints it: a summary and a diff of each change, or one line each,
 * or only names. A box's output is made visible: no control character reaches a terminal.
 *
 * @example
 * for await (const line of reviewText(await sandbox.review())) console.log(line);
 */
export async function* reviewText(review: Review, detail: Detail = 'patch'): AsyncGenerator<string> {
  const { reviewLines } = await import('./review-lines.ts');
  for (const { text } of reviewLines(review, detail)) yield text;
}

/**
 * Puts a layer, or the changes in `paths`, onto the host: all requested changes or none. Completes interrupted accepts
 * and undos first, and returns them as `recovered`. Throws `HF_STAGED_REFUSED` for protected names and
 * `HF_STAGED_CONFLICT` for newer entries on the host. Throws `HF_STAGED_BUSY` while a box uses the layer, `HF_USAGE`
 * for a path without changes, and `HF_STAGED_INVALID`, `HF_STAGED_FAILED`, `HF_DISK_FULL`.
 *
 * @example const { accepted, left } = await acceptLayer(id, { paths: ['src'] });
 */
export async function acceptLayer(
  id: string,
  { paths, environment, ...choice }: LayerPathsOptions & AcceptChoice = {},
): Promise<AcceptReport> {
  const ground = groundOf(environment);
  const [store, work] = await Promise.all([import('../store/open-layer.ts'), import('./accept-by-policy.ts')]);
  return work.acceptByPolicy(store.openLayer(ground.paths.state, id), ground, { ...choice, ...pathsOf(paths) });
}

/**
 * Drops a layer, or the changes in `paths`, for good. Does not touch the host. Throws `HF_STAGED_BUSY`,
 * `HF_STAGED_INVALID`, and `HF_USAGE` for a path without a change.
 *
 * @example
 * await discardLayer(id, { paths: ['coverage'] });
 */
export async function discardLayer(id: string, { paths, environment }: LayerPathsOptions = {}): Promise<DiscardReport> {
  const ground = groundOf(environment);
  const [store, work] = await Promise.all([import('../store/open-layer.ts'), import('./layer-work.ts')]);
  return work.discardJournalled(store.openLayer(ground.paths.state, id), ground, pathsOf(paths).paths);
}

/**
 * Undoes the last accept of a workspace, by its real path, or of one `layer` over it. The host gets its old entries
 * back, and the accepted changes are staged again. The last ten accepts of a workspace can be undone while they keep
 * less than 1 GB. Throws `HF_STAGED_CONFLICT` if a name was changed since, `HF_STAGED_BUSY`, and `HF_USAGE` if there is
 * nothing to undo.
 *
 * @example
 * const { record } = await undoAccept({ workspace: '/srv/project' });
 * console.log(`staged again in ${record.layer}`);
 */
export async function undoAccept({
  environment,
  ...which
}: LayerOptions & { readonly workspace: string; readonly layer?: string }): Promise<UndoReport> {
  const { undoJournalled } = await import('./layer-work.ts');
  return undoJournalled(groundOf(environment), which);
}

function groundOf(environment: LayerOptions['environment'] = process.env): {
  readonly paths: StatePaths;
  readonly environment: Readonly<Record<string, string | undefined>>;
} {
  return { paths: statePaths(homedir(), environment), environment };
}

function pathsOf(paths: readonly FilePath[] | undefined): { readonly paths?: readonly Buffer[] } {
  return paths === undefined ? {} : { paths: hostPaths(process.cwd(), paths) };
}

/** Returns absolute paths on the host, byte for byte. Relative ones start at `cwd`. */
export function hostPaths(cwd: string, paths: readonly (string | Uint8Array)[]): readonly Buffer[] {
  const start = Buffer.from(cwd).toString('latin1');
  return paths.map((path) => Buffer.from(resolve(start, Buffer.from(path).toString('latin1')), 'latin1'));
}
