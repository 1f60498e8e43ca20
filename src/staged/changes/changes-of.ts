import { closeSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';
import type { Change, StagedLayer, StagedRoot } from '../types.ts';
import { goneFromHost } from './conflict.ts';
import { contentDigest } from './content-digest.ts';
import type { Found } from './found.ts';
import { refusalOf, type Judge } from './judge.ts';
import { settleLinks } from './links.ts';
import { openPlace } from './place.ts';
import { withFileBeneath } from './regular-file.ts';
import { findRenames, type Renaming } from './renames.ts';
import { walkRoot } from './walk.ts';

export interface ChangesOptions {
  /** Default: nothing is refused. */
  readonly judge?: Judge;
}

/**
 * Every difference between a layer and the host, in the order of paths of each root: a directory before what lies in it.
 * Each entry of an added or deleted directory is a change of its own. Where a directory became something else (`type-changed`),
 * what lay in it is `deleted` too: whoever applies takes deletions first, deepest first. What was renamed has the same content
 * as before; its mode, owner, times and attributes may differ, as with `modified`. The mode of a root itself and the times of
 * directories are not compared. Throws `HoldfastError` (`HF_STAGED_INVALID`) when a directory of the layer or a root is missing.
 */
export function changesOf(layer: StagedLayer, options: ChangesOptions = {}): Change[] {
  return layer.roots.flatMap((root) => changesOfRoot(root, { ...options, created: BigInt(layer.created) * nanosecondsPerMillisecond }));
}

const nanosecondsPerMillisecond = 1_000_000n;

function changesOfRoot(root: StagedRoot, { judge, created }: ChangesOptions & { readonly created: bigint }): Change[] {
  return withRoots(root, (places) => {
    const found = settleLinks(walkRoot(places, { created, longest: longestPath - Buffer.byteLength(root.root) - 1 }));
    const renamings = findRenames(found, (side, path, size) => withFileBeneath(places[side], path, (file) => contentDigest(file, size)));
    const changes = withRenames(found, renamings).map((change): Change => ({ root, ...change }));
    return judge === undefined ? changes : changes.map((change) => judged(change, { judge, staged: places.staged }));
  });
}

/** `PATH_MAX` of Linux without its NUL. A box can make deeper directories, which no program of the host could name. */
const longestPath = 4095;

type Unrooted = Omit<Change, 'root'>;

function withRenames(found: readonly Found[], renamings: readonly Renaming[]): readonly Unrooted[] {
  const sources = new Set(renamings.map(({ from }) => from));
  const targets = new Map(renamings.map(({ from, to }) => [to, from]));
  return found.flatMap((entry): readonly Unrooted[] => {
    if (sources.has(entry)) return [];
    const { doubt, ...change } = entry;
    const from = targets.get(entry);
    if (from?.before !== undefined) return [{ ...change, kind: 'renamed', from: from.path, before: from.before }];
    return [doubt === 'moved-or-gone' && change.conflict === undefined ? { ...change, conflict: goneFromHost } : change];
  });
}

function judged(change: Change, options: { readonly judge: Judge; readonly staged: number }): Change {
  const refusal = change.refusal ?? refusalOf(change, options);
  return refusal === undefined ? change : { ...change, refusal };
}

function withRoots<T>(root: StagedRoot, use: (places: { readonly host: number; readonly staged: number }) => T): T {
  const staged = openRoot(root.upper);
  try {
    const host = openRoot(root.root);
    try {
      return use({ host, staged });
    } finally {
      closeSync(host);
    }
  } finally {
    closeSync(staged);
  }
}

function openRoot(path: string): number {
  try {
    return openPlace(path);
  } catch (cause) {
    throw new HoldfastError('HF_STAGED_INVALID', `${path} cannot be opened: ${(cause as Error).message}`, { remedy: 'put the directory back, or drop the layer with `holdfast discard`; nothing of it was changed', cause, details: { path } });
  }
}
