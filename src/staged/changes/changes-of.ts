import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';
import type { StagedChange, EntryFacts, StagedLayer, StagedRoot } from '../types.ts';
import { type RawChange, goneFromHost, type TakenAt, takenAt } from './compare-entry.ts';
import { type Judge, changeRefusal } from './judge.ts';
import { openPlace, withFileBeneath } from './place.ts';
import { walkRoot } from './walk.ts';

export interface ChangesOptions {
  /** Default: nothing is refused. */
  readonly judge?: Judge;
  /** With more changes of a root, it throws a `RangeError`. Default: no limit. */
  readonly most?: number;
}

/**
 * Returns every difference between a layer and the host, in the order of paths of each root: a directory before its
 * entries. Each entry of an added or deleted directory is a change of its own. If a directory became something else
 * (`type-changed`), its entries are `deleted` too: apply deletions first, deepest first. A `renamed` entry has the same
 * content as before; its mode, owner, times and attributes may differ, as with `modified`. The mode of a root itself
 * and the times of directories are not compared. Throws `HoldfastError` (`HF_STAGED_INVALID`) if a directory of the
 * layer or a root is missing.
 */
export function changesOf(layer: StagedLayer, options: ChangesOptions = {}): StagedChange[] {
  return layer.roots.flatMap((root) => changesOfRoot(root, { ...options, takenAt: takenBy(layer) }));
}

/**
 * The entries of a copy that left this machine share one time, because the copy misses all later changes of the host.
 */
function takenBy({ created, taken }: StagedLayer): TakenAt {
  const [made, left] = [nanoseconds(created), taken === undefined ? undefined : nanoseconds(taken)];
  return (upper) => left ?? takenAt(upper, made);
}

function nanoseconds(milliseconds: number): bigint {
  return BigInt(milliseconds) * nanosecondsPerMillisecond;
}

const nanosecondsPerMillisecond = 1_000_000n;

function changesOfRoot(
  root: StagedRoot,
  { judge, most = Number.POSITIVE_INFINITY, takenAt: taken }: ChangesOptions & { readonly takenAt: TakenAt },
): StagedChange[] {
  return withRoots(root, (places) => {
    const found = settleLinks(
      walkRoot(places, { takenAt: taken, longest: longestPath - Buffer.byteLength(root.root) - 1, most }),
    );
    const renamings = findRenames(found, (side, path, size) =>
      withFileBeneath(places[side], path, (file) => contentDigest(file, size)),
    );
    const changes = withRenames(found, renamings).map((change): StagedChange => ({ root, ...change }));
    return judge === undefined ? changes : changes.map((change) => judged(change, { judge, staged: places.staged }));
  });
}

/** `PATH_MAX` of Linux without its NUL. A box can make deeper directories, which no program of the host can name. */
const longestPath = 4095;

type Unrooted = Omit<StagedChange, 'root'>;

function withRenames(found: readonly RawChange[], renamings: readonly Renaming[]): readonly Unrooted[] {
  const sources = new Set(renamings.map(({ from }) => from));
  const targets = new Map(renamings.map(({ from, to }) => [to, from]));
  return found.flatMap((entry): readonly Unrooted[] => {
    if (sources.has(entry)) return [];
    const { doubt, ...change } = entry;
    const from = targets.get(entry);
    if (from?.before !== undefined) return [{ ...change, kind: 'renamed', from: from.path, before: from.before }];
    return [
      doubt === 'moved-or-gone' && change.conflict === undefined ? { ...change, conflict: goneFromHost } : change,
    ];
  });
}

function judged(change: StagedChange, options: { readonly judge: Judge; readonly staged: number }): StagedChange {
  const refusal = change.refusal ?? changeRefusal(change, options);
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
    throw new HoldfastError('HF_STAGED_INVALID', `${path} cannot be opened: ${(cause as Error).message}`, {
      remedy: 'restore the directory, or drop the layer with `holdfast discard`; the layer was not changed',
      cause,
      details: { path },
    });
  }
}

/** SHA-256 of an open file's content, in base64. Undefined if it is shorter than expected. */
function contentDigest(file: number, size: number): string | undefined {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(size, 1 << 18));
  let at = 0;
  for (let read = 1; read > 0 && at < size; at += read) {
    read = readSync(file, buffer, 0, Math.min(buffer.length, size - at), at);
    hash.update(buffer.subarray(0, read));
  }
  return at === size ? hash.digest('base64') : undefined;
}

/**
 * Drops entries that differ from the host's only in their number of hard links. Keeps them if their names in the layer
 * are several files on the host. A new hard link to a file of the host changes both of its names.
 */
function settleLinks(found: readonly RawChange[]): readonly RawChange[] {
  const groups = Map.groupBy(
    found.filter(({ after }) => after?.type === 'file' && after.links > 1),
    ({ after }) => `${after?.device}:${after?.inode}`,
  );
  return found.filter((entry) => {
    if (entry.doubt !== 'names') return true;
    const group = groups.get(`${entry.after?.device}:${entry.after?.inode}`) ?? [];
    return group.some(({ before }) => before?.inode !== entry.before?.inode || before?.device !== entry.before?.device);
  });
}

type TreeSide = 'host' | 'staged';

/** Returns a digest of a file's content on one side. Undefined if the file cannot be read. */
type DigestOf = (side: TreeSide, path: Buffer, size: number) => string | undefined;

/** A deletion and an addition of equal content. */
interface Renaming {
  readonly from: RawChange;
  readonly to: RawChange;
}

/**
 * Pairs deleted files and symlinks with added ones of the same content. Those that kept their last name come first, as
 * when a directory was moved. Leaves out empty files, which are all alike, files above 64 MiB, and entries that the
 * host has changed since.
 */
function findRenames(found: readonly RawChange[], digestOf: DigestOf): readonly Renaming[] {
  const deleted = found.filter((entry) => entry.kind === 'deleted' && isMovable(entry, entry.before));
  const shapes = new Set(deleted.map(({ before }) => shapeOf(before)));
  const added = found.filter(
    (entry) => entry.kind === 'added' && isMovable(entry, entry.after) && shapes.has(shapeOf(entry.after)),
  );
  const wanted = new Set(added.map(({ after }) => shapeOf(after)));
  const sources = deleted
    .filter(({ before }) => wanted.has(shapeOf(before)))
    .flatMap((entry) => keyed(entry, entry.before, (size) => digestOf('host', entry.path, size)));
  const targets = added.flatMap((entry) => keyed(entry, entry.after, (size) => digestOf('staged', entry.path, size)));
  const sameName = pairUp(sources, targets, ({ entry, key }) => `${key} ${lastName(entry.path)}`);
  const taken = new Set(sameName.flatMap(({ from, to }) => [from, to]));
  const left = ({ entry }: Keyed): boolean => !taken.has(entry);
  return [...sameName, ...pairUp(sources.filter(left), targets.filter(left), ({ key }) => key)];
}

const largest = 1 << 26;

function isMovable({ conflict, refusal }: RawChange, facts: EntryFacts | undefined): boolean {
  if (conflict !== undefined || refusal !== undefined || facts === undefined) return false;
  return facts.type === 'symlink' || (facts.type === 'file' && facts.size > 0 && facts.size <= largest);
}

function shapeOf(facts: EntryFacts | undefined): string {
  return `${facts?.type} ${facts?.size}`;
}

interface Keyed {
  readonly entry: RawChange;
  /** Equal for equal content. */
  readonly key: string;
}

function keyed(
  entry: RawChange,
  facts: EntryFacts | undefined,
  digest: (size: number) => string | undefined,
): readonly Keyed[] {
  const content = facts?.type === 'symlink' ? facts.target?.toString('latin1') : digest(facts?.size ?? 0);
  return content === undefined ? [] : [{ entry, key: `${facts?.type} ${content}` }];
}

/** Gives each source to one target, in the order of their paths. */
function pairUp(
  sources: readonly Keyed[],
  targets: readonly Keyed[],
  keyOf: (keyed: Keyed) => string,
): readonly Renaming[] {
  const waiting = Map.groupBy(sources.toReversed(), keyOf);
  return targets.flatMap((target) => {
    const source = waiting.get(keyOf(target))?.pop();
    return source === undefined ? [] : [{ from: source.entry, to: target.entry }];
  });
}

function lastName(path: Buffer): string {
  return path.subarray(path.lastIndexOf(slash) + 1).toString('latin1');
}

const slash = 0x2f;
