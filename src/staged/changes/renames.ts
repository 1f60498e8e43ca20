import type { EntryFacts } from '../types.ts';
import type { Found } from './found.ts';

export type TreeSide = 'host' | 'staged';

/** Reads the content of a file of one side as a digest; undefined when it cannot be read. */
export type DigestOf = (side: TreeSide, path: Buffer, size: number) => string | undefined;

/** A deletion and an addition of equal content. */
export interface Renaming {
  readonly from: Found;
  readonly to: Found;
}

/**
 * Pairs deleted files and symlinks with added ones of the same content, first those that kept their last name, as when a
 * directory was moved. Empty files are all alike and stay as they are, and so do files above 64 MiB and whatever the host
 * changed since.
 */
export function findRenames(found: readonly Found[], digestOf: DigestOf): readonly Renaming[] {
  const deleted = found.filter((entry) => entry.kind === 'deleted' && isMovable(entry, entry.before));
  const shapes = new Set(deleted.map(({ before }) => shapeOf(before)));
  const added = found.filter((entry) => entry.kind === 'added' && isMovable(entry, entry.after) && shapes.has(shapeOf(entry.after)));
  const wanted = new Set(added.map(({ after }) => shapeOf(after)));
  const sources = deleted.filter(({ before }) => wanted.has(shapeOf(before))).flatMap((entry) => keyed(entry, entry.before, (size) => digestOf('host', entry.path, size)));
  const targets = added.flatMap((entry) => keyed(entry, entry.after, (size) => digestOf('staged', entry.path, size)));
  const sameName = pairUp(sources, targets, ({ entry, key }) => `${key} ${lastName(entry.path)}`);
  const taken = new Set(sameName.flatMap(({ from, to }) => [from, to]));
  const left = ({ entry }: Keyed): boolean => !taken.has(entry);
  return [...sameName, ...pairUp(sources.filter(left), targets.filter(left), ({ key }) => key)];
}

const largest = 1 << 26;

function isMovable({ conflict, refusal }: Found, facts: EntryFacts | undefined): boolean {
  if (conflict !== undefined || refusal !== undefined || facts === undefined) return false;
  return facts.type === 'symlink' || (facts.type === 'file' && facts.size > 0 && facts.size <= largest);
}

function shapeOf(facts: EntryFacts | undefined): string {
  return `${facts?.type} ${facts?.size}`;
}

interface Keyed {
  readonly entry: Found;
  /** Equal for equal content. */
  readonly key: string;
}

function keyed(entry: Found, facts: EntryFacts | undefined, digest: (size: number) => string | undefined): readonly Keyed[] {
  const content = facts?.type === 'symlink' ? facts.target?.toString('latin1') : digest(facts?.size ?? 0);
  return content === undefined ? [] : [{ entry, key: `${facts?.type} ${content}` }];
}

/** Each source goes to one target, in the order of their paths. */
function pairUp(sources: readonly Keyed[], targets: readonly Keyed[], keyOf: (keyed: Keyed) => string): readonly Renaming[] {
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
