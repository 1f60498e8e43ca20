import type { BigIntStats } from 'node:fs';
import type { EntryFacts } from '../types.ts';
import { readAttributes, sameAttributes, type Attributes } from './attributes.ts';
import { hostConflict, type Moment } from './conflict.ts';
import { factsOf } from './facts.ts';
import type { Found } from './found.ts';
import { isCopiedUp } from './overlay-marks.ts';
import { sameContent } from './same-content.ts';

/** One side of a comparison. */
export interface Side {
  /** Leads to it through an open directory. */
  readonly entry: Buffer;
  readonly stats: BigIntStats;
}

export interface Pair {
  readonly path: Buffer;
  readonly host: Side;
  readonly staged: Side & { readonly attributes: Attributes };
  readonly taken: Moment;
}

/** How the staged entry differs from the host's of the same name; undefined when it does not. */
export function compareEntry({ path, host, staged, taken }: Pair): Found | undefined {
  const before = factsOf(host.stats, host.entry);
  const after = factsOf(staged.stats, staged.entry);
  const conflict = hostConflict(host.stats, { taken, copiedUp: isCopiedUp(staged.attributes) });
  const differing = { path, before, after, ...(conflict === undefined ? {} : { conflict }) };
  if (before.type !== after.type) return { kind: 'type-changed', ...differing };
  if (!sameSubstance(before, after, () => sameContent(host.entry, staged.entry, after.size))) return { kind: 'modified', ...differing };
  const rights = sameRights(before, after) && sameAttributes(readAttributes(host.entry), staged.attributes);
  if (!rights) return { kind: 'metadata', ...differing };
  // Both sides came to the same content at different times: nothing of the host's would be lost.
  if (after.type !== 'directory' && before.modified !== after.modified) return { kind: 'metadata', path, before, after };
  return after.type === 'file' && after.links > 1 ? { kind: 'metadata', path, before, after, doubt: 'names' } : undefined;
}

function sameSubstance(before: EntryFacts, after: EntryFacts, sameBytes: () => boolean): boolean {
  switch (after.type) {
    case 'file':
      return before.size === after.size && sameBytes();
    case 'symlink':
      return before.target !== undefined && after.target?.equals(before.target) === true;
    case 'directory':
    case 'fifo':
    case 'socket':
      return true;
    case 'device':
      return false;
  }
}

function sameRights(before: EntryFacts, after: EntryFacts): boolean {
  return before.mode === after.mode && before.uid === after.uid && before.gid === after.gid;
}
